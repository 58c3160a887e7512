/// The end of a retry that did not succeed: what a policy refused, and why.
public struct GiveUp: Sendable {
  /// Why no further attempt is made.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    /// The reason's name, for a log.
    public let description: String

    /// The attempts that the policy allows have been made.
    public static var exhausted: Reason { Reason(description: "exhausted") }

    /// The next attempt could only begin when the policy's time is over.
    public static var deadline: Reason { Reason(description: "deadline") }

    /// The policy's predicate does not retry this failure.
    public static var rejected: Reason { Reason(description: "rejected") }

    /// The task was cancelled, or the operation failed with a `CancellationError`.
    public static var cancelled: Reason { Reason(description: "cancelled") }
  }

  /// Why no further attempt is made.
  public let reason: Reason

  /// How many attempts were made.
  public let attempts: Int

  /// The time since the first of them began.
  public let elapsed: Duration

  /// The delay before the next attempt, which the deadline has no room for; nil for other reasons.
  public let neededDelay: Duration?

  /// The last failure; nil where it is not known, as in a loop over `attempts(clock:)`.
  public let error: (any Error)?
}
