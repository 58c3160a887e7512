/// How one attempt ended, and what follows: what a policy's `afterAttempt` is told.
public struct AttemptReport: Sendable {
  /// The attempt that has ended.
  public let attempt: Attempt

  /// How long it ran.
  public let duration: Duration

  /// Whether it was the success that ends the retry.
  public let isSuccess: Bool

  /// Its failure; nil for a success, for a result that was not accepted, and in a loop over
  /// `attempts(clock:)`.
  public let error: (any Error)?

  /// The attempt that follows, with its delay; nil where none does.
  public let next: Attempt?
}
