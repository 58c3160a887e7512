/// One try of an operation: its number, and how long it was waited for.
public struct Attempt: Hashable, Sendable {
  /// Which try this is: 1 for the first.
  public let number: Int

  /// The backoff's delay before it; zero before the first try of `retry(_:clock:_:)`.
  public let delay: Duration

  package init(number: Int, delay: Duration) {
    self.number = number
    self.delay = delay
  }
}
