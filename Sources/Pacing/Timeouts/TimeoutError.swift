/// An operation or an element did not come in time.
public struct TimeoutError: Error, Hashable, Sendable {
  /// The time limit.
  public let limit: Duration

  /// Creates the error, to test code that handles it.
  public init(limit: Duration) {
    self.limit = limit
  }
}
