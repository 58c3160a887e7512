/// A line of input: its bytes, including the newline if it has one.
struct Line: Hashable, Sendable {
  let bytes: [UInt8]

  init(bytes: ArraySlice<UInt8>) {
    self.bytes = Array(bytes)
  }
}
