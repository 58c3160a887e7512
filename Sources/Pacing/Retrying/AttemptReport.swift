/// How one attempt ended, and what follows: what a policy's `afterAttempt` receives.
public struct AttemptReport: Sendable {
  /// The attempt that has ended.
  public let attempt: Attempt

  /// How long it ran.
  public let duration: Duration

  /// Whether it was the success that ends the retry.
  public let isSuccess: Bool

  /// Its failure; nil for a success, for a result that was not accepted, and in a loop over
  /// `attempts(clock:)` if it was not reported.
  public let error: (any Error)?

  /// The attempt that follows, with its delay; nil if none does.
  public let next: Attempt?

  /// Makes a report, to test code that receives one.
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
