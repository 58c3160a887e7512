/// The lines of standard input, one after another, byte for byte.
struct LineReader: ~Copyable {
  private var input: Input
  private var buffer = LineBuffer()

  init(_ input: consuming Input) {
    self.input = input
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
      buffer.append(try input.read(atMost: 65_536))
    }
  }
}
