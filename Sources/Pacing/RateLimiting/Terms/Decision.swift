/// What a limit answered: whether the cost is allowed, and what the caller can be told.
///
/// A refusal changes nothing. Waits are rounded up to the nanosecond, so that waiting exactly
/// `retryAfter` succeeds where nobody else spends in between; what remains is rounded down.
public struct Decision: Hashable, Sendable {
  /// Whether the cost is allowed.
  public let isAllowed: Bool

  /// How many tokens could be had at once after this decision; zero while others wait for them.
  public let remaining: Int

  /// How long to wait before the same cost is allowed, counting those who wait already.
  ///
  /// Zero where it is allowed now; nil where no wait is long enough, as for a cost above the burst.
  public let retryAfter: Duration?

  /// How long until the limit is as if nothing had been spent, if nothing more is asked of it: a
  /// bucket is full again, a window empty.
  public let resetAfter: Duration

  /// The name of the limit that refused, of several the one that must be waited for the longest.
  ///
  /// Nil where the cost is allowed, where it has to wait for nothing but others who wait, and in
  /// the answers of a `TokenBucket`.
  public let refusedBy: String?

  /// Where the decision comes from; what a failure policy refuses is no fault of the caller.
  public let source: DecisionSource

  /// Makes a decision, for a test of code that answers with one.
  ///
  /// - Parameters:
  ///   - isAllowed: Whether the cost is allowed.
  ///   - remaining: How many tokens could be had after it.
  ///   - retryAfter: How long to wait before the cost is allowed, nil for a wait without end.
  ///   - resetAfter: How long until the limit is as if nothing had been spent.
  ///   - refusedBy: The name of the limit that refused.
  ///   - source: Where the decision comes from.
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
}
