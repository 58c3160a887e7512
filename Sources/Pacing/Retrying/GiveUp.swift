/// The end of a retry that did not succeed: what a policy refused, and why.
public struct GiveUp: Sendable {
  /// Why no further attempt is made.
  public enum Reason: Hashable, Sendable {
    /// The attempts that the policy allows have been made, or its backoff has ended.
    case exhausted

    /// The next attempt could not begin before the policy's time, or that of a `withTimeout` around
    /// the retry, is over.
    case deadline

    /// The policy's budget has nothing left for a retry.
    case budget

    /// A retry would fail in the same way, according to the policy, the error, or `judging`.
    case permanent

    /// The limit of a poller was closed.
    case closed

    /// The task was cancelled.
    case cancelled
  }

  /// Why no further attempt is made.
  public let reason: Reason

  /// How many attempts were made; if the policy has a healthy period, those since the last healthy
  /// attempt, which is included.
  public let attempts: Int

  /// The time since the first of them began; if the policy has a healthy period, since the last
  /// healthy attempt ended.
  public let elapsed: Duration

  /// The delay that the next attempt would have needed, if the reason is `deadline`; nil for other
  /// reasons.
  public let neededDelay: Duration?

  /// The last failure; nil for a result that was not accepted.
  public let error: (any Error)?

  /// Creates the end of a retry, to test code that receives one.
  public init(
    reason: Reason, attempts: Int, elapsed: Duration, neededDelay: Duration? = nil,
    error: (any Error)? = nil
  ) {
    self.reason = reason
    self.attempts = attempts
    self.elapsed = elapsed
    self.neededDelay = neededDelay
    self.error = error
  }
}
