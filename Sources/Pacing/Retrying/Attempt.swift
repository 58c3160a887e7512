/// One try of an operation: its number, and how long it was waited for.
public struct Attempt: Hashable, Sendable {
  /// Which try this is: 1 for the first.
  public let number: Int

  /// The delay before it, the backoff's or the server's; zero before the first try of a retry.
  public let delay: Duration

  /// Makes an attempt, for a test of an operation that is given one.
  ///
  /// - Parameters:
  ///   - number: Which try it is: 1 for the first.
  ///   - delay: The delay before it.
  public init(number: Int, delay: Duration = .zero) {
    self.number = number
    self.delay = delay
  }
}
