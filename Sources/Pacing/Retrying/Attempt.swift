/// One try of an operation: its number, and how long it was waited for.
public struct Attempt: Hashable, Sendable {
  /// Which try this is: 1 for the first.
  public let number: Int

  /// The delay before it, the backoff's or the server's; zero before the first try of a retry.
  public let delay: Duration

  package init(number: Int, delay: Duration) {
    self.number = number
    self.delay = delay
  }
}
