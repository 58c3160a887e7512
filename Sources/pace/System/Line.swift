/// One line of input: its bytes, with the newline where it had one.
struct Line: Hashable, Sendable {
  let bytes: [UInt8]

  init(bytes: ArraySlice<UInt8>) {
    self.bytes = Array(bytes)
  }
}
