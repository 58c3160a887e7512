/// An operation took longer than it was given.
public struct TimeoutError: Error, Hashable, Sendable {
  /// How long it was given.
  public let timeout: Duration

  package init(timeout: Duration) {
    self.timeout = timeout
  }
}

extension TimeoutError: CustomStringConvertible {
  /// One sentence for a log.
  public var description: String { "it took longer than \(timeout)" }
}
