/// What was waited for did not come in time.
public struct TimeoutError: Error, Hashable, Sendable {
  /// How long it was waited for.
  public let limit: Duration

  /// Makes the error, for a test of code that catches it.
  ///
  /// - Parameter limit: The time that was waited.
  public init(limit: Duration) {
    self.limit = limit
  }
}

extension TimeoutError: CustomStringConvertible {
  /// One sentence: "nothing came within 5.0 seconds".
  public var description: String { "nothing came within \(limit)" }
}
