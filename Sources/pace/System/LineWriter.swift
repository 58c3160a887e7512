/// Standard output, one whole line at a time, without a buffer.
struct LineWriter: Sendable {
  let output: Descriptor

  init(_ output: Descriptor) {
    self.output = output
  }

  /// Writes the line as it is, and returns when the system has it.
  ///
  /// - Throws: the quiet end where nobody reads any more, else an error with the system's words.
  func write(_ line: Line) throws(CommandError) {
    try write(line.bytes)
  }

  /// Writes the text as it is.
  func write(_ text: String) throws(CommandError) {
    try write(Array(text.utf8))
  }

  private func write(_ bytes: [UInt8]) throws(CommandError) {
    do {
      try output.write(bytes[...])
    } catch {
      guard !error.isClosed else { throw .outputClosed }
      throw CommandError("cannot write to standard output: \(error)", status: .inputOutput)
    }
  }
}
