/// One attempt of an operation: its number, and the delay before it.
public struct Attempt: Hashable, Sendable {
  /// The number of the attempt: 1 for the first.
  public let number: Int

  /// The delay before it, the backoff's or the server's; zero before the first attempt of a retry.
  public let delay: Duration

  /// Creates an attempt, to test an operation that receives one.
  public init(number: Int, delay: Duration = .zero) {
    self.number = number
    self.delay = delay
  }
}

/// How one attempt ended, and what follows: what a policy's `afterAttempt` receives.
public struct AttemptReport: Sendable {
  /// The attempt that has ended.
  public let attempt: Attempt

  /// How long it ran.
  public let duration: Duration

  /// Whether it was the success that ends the retry.
  public let isSuccess: Bool

  /// Its failure; nil for a success, and for a result that was not accepted.
  public let error: (any Error)?

  /// The attempt that follows, with its delay; nil if none does.
  public let next: Attempt?

  /// Creates a report, to test code that receives one.
  public init(
    attempt: Attempt, duration: Duration, isSuccess: Bool, error: (any Error)? = nil,
    next: Attempt? = nil
  ) {
    self.attempt = attempt
    self.duration = duration
    self.isSuccess = isSuccess
    self.error = error
    self.next = next
  }
}
