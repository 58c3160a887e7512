/// The answer of a limit: whether the cost is allowed, and what to tell the caller.
///
/// A refusal changes nothing. Waits are rounded up to the nanosecond, so waiting exactly
/// `retryAfter` succeeds if no other caller spends in between; `remaining` is rounded down.
public struct Decision: Hashable, Sendable {
  /// Whether the cost is allowed.
  public let isAllowed: Bool

  /// The number of tokens available after this decision; zero while callers wait.
  public let remaining: Int

  /// The wait until the same cost is allowed, including the waiters ahead.
  ///
  /// Zero if it is allowed now; nil if no wait is long enough, as for a cost above the burst.
  public let retryAfter: Duration?

  /// The time until a bucket is full or a window is empty again, if nothing more is spent.
  public let resetAfter: Duration

  /// The name of the limit that refused; of several, the one with the longest wait.
  ///
  /// Nil if the cost is allowed, if only waiters or a pause are in the way, and in the answers of a
  /// ``TokenBucket``.
  public let refusedBy: String?

  /// The origin of the decision; a refusal by a failure policy is not the caller's fault.
  public let source: DecisionSource

  /// Makes a decision, to test code that handles one.
  public init(
    isAllowed: Bool, remaining: Int, retryAfter: Duration?, resetAfter: Duration,
    refusedBy: String? = nil, source: DecisionSource = .limiter
  ) {
    self.isAllowed = isAllowed
    self.remaining = remaining
    self.retryAfter = retryAfter
    self.resetAfter = resetAfter
    self.refusedBy = refusedBy
    self.source = source
  }

  /// The answer of a closed limit.
  static var closed: Decision {
    Decision(isAllowed: false, remaining: 0, retryAfter: nil, resetAfter: .zero)
  }
}
