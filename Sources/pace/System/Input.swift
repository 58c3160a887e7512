/// Standard input, read in chunks until it ends or the work is interrupted.
struct Input: ~Copyable {
  /// Why no more bytes follow.
  enum End: Equatable {
    case endOfInput
    case interrupted
  }

  /// The reason for the end, or nil while there may be more.
  private(set) var end: End?

  private let descriptor: Descriptor
  private let interruption: Interruption

  init(_ descriptor: Descriptor, until interruption: Interruption) {
    self.descriptor = descriptor
    self.interruption = interruption
  }

  /// Waits for bytes, and reads them.
  ///
  /// - Parameters:
  ///   - count: How many bytes to read at most; zero waits without reading.
  ///   - timeout: How long to wait, or nil for as long as it takes.
  /// - Returns: The bytes; none after the timeout, or if `end` has been set.
  /// - Throws: The system's error if the input cannot be read.
  mutating func read(
    atMost count: Int, within timeout: Duration? = nil
  ) throws(SystemError) -> [UInt8] {
    var waited = [(interruption.descriptor, Descriptor.Event.reading)]
    if count > 0 { waited.append((descriptor, .reading)) }
    let ready = try Descriptor.wait(for: waited, within: timeout)
    if ready[0] {
      end = .interrupted
      return []
    }
    guard ready.last == true else { return [] }
    do {
      let bytes = try descriptor.read(atMost: count)
      if bytes.isEmpty { end = .endOfInput }
      return bytes
    } catch {
      guard error.isInterruption || error.isNotReady else { throw error }
      return []
    }
  }
}
