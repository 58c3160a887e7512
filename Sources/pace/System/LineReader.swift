/// The lines of standard input, one after another, byte for byte.
struct LineReader: ~Copyable {
  private var input: Input
  private var buffer = LineBuffer()
  private let ahead: Int

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - input: The input to read.
  ///   - ahead: How many lines may be read at once; the others stay in the input until then.
  init(_ input: consuming Input, ahead: Int = 65_536) {
    self.input = input
    self.ahead = ahead
  }

  /// Why there are no more lines, or nil while there may be more.
  var end: Input.End? { input.end }

  /// Waits for the next line; after an interruption, lines that were read are still returned.
  ///
  /// - Returns: The line, or nil after the last one, which may lack its newline.
  mutating func next() throws(SystemError) -> Line? {
    while true {
      let (bytes, count) = buffer.takeLines(atMost: 1)
      if count > 0 { return Line(bytes: bytes) }
      guard input.end == nil else {
        return buffer.count > 0 ? Line(bytes: buffer.takeAll()) : nil
      }
      buffer.append(try input.read(atMost: buffer.room(for: ahead)))
    }
  }

  /// Takes what was read and not returned, including the beginning of a line.
  mutating func takeAll() -> ArraySlice<UInt8> {
    buffer.takeAll()
  }
}
