/// Standard output, without a buffer.
struct LineWriter: Sendable {
  let output: Descriptor

  init(_ output: Descriptor) {
    self.output = output
  }

  /// Writes the line unchanged, and returns when the system has accepted it.
  ///
  /// - Throws: `CommandError.outputAbandoned` if the reader has left, else the system's message.
  func write(_ line: Line) throws(CommandError) {
    try write(line.bytes[...])
  }

  /// Writes the text unchanged.
  func write(_ text: String) throws(CommandError) {
    try write(Array(text.utf8)[...])
  }

  /// Writes the bytes unchanged.
  func write(_ bytes: ArraySlice<UInt8>) throws(CommandError) {
    do {
      try output.write(bytes)
    } catch {
      guard !error.hasNoReader else { throw .outputAbandoned }
      guard !error.isClosed else { throw .outputClosed }
      throw CommandError("cannot write to standard output: \(error)", status: .inputOutput)
    }
  }
}
