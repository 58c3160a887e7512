/// The answer of a limit: whether the cost is allowed, and what to tell the caller.
///
/// A refusal changes nothing. Waits are rounded up to the nanosecond, so waiting exactly
/// `retryAfter` succeeds if no one else spends or waits; `remaining` is rounded down.
public struct Decision: Hashable, Sendable {
  /// The origin of a decision.
  public enum Source: Hashable, Sendable {
    /// A limiter in this process.
    case limiter

    /// A store shared by several processes.
    case store

    /// Tokens leased from the store ahead of the request.
    case lease

    /// A refusal of the store that is still in force.
    case memory

    /// The failure policy, which decides when the store is unreachable.
    case failurePolicy
  }

  /// Whether the cost is allowed.
  public let isAllowed: Bool

  /// The number of tokens available after this decision, zero while callers wait; of several parts,
  /// the least.
  public let remaining: Int

  /// The wait until the same cost is allowed, zero if it is allowed now; nil if no time can be
  /// named: never, or only when a permit comes back.
  ///
  /// Behind waiters it is reckoned as if all of them are served and nothing else changes.
  public let retryAfter: Duration?

  /// The time until a bucket is full or a window is empty again, if nothing more is spent.
  public let resetAfter: Duration

  /// The name of the part that refused, or its description; of several, the one with the longest
  /// wait.
  ///
  /// Nil if the cost is allowed, if only waiters or a pause are in the way, and in the answers of a
  /// ``TokenBucket``.
  public let refusedBy: Limit.Name?

  /// Whether the cost can ever be allowed: false if it exceeds what the limit can hold.
  public let isPossible: Bool

  /// The origin of the decision; a refusal by a failure policy is not the caller's fault.
  public let source: Source

  /// Creates a decision, to test code that handles one.
  public init(
    isAllowed: Bool, remaining: Int, retryAfter: Duration?, resetAfter: Duration,
    refusedBy: Limit.Name? = nil, isPossible: Bool = true, source: Source = .limiter
  ) {
    self.isAllowed = isAllowed
    self.remaining = remaining
    self.retryAfter = retryAfter
    self.resetAfter = resetAfter
    self.refusedBy = refusedBy
    self.isPossible = isPossible
    self.source = source
  }

  static var closed: Decision {
    Decision(isAllowed: false, remaining: 0, retryAfter: nil, resetAfter: .zero, isPossible: false)
  }

  /// The answer of two parts together: the least remains, and the longest wait counts.
  func combined(with other: Decision) -> Decision {
    let isAllowed = isAllowed && other.isAllowed
    let isFirst = isLonger(than: other)
    return Decision(
      isAllowed: isAllowed, remaining: min(remaining, other.remaining),
      retryAfter: isFirst ? retryAfter : other.retryAfter,
      resetAfter: max(resetAfter, other.resetAfter),
      refusedBy: isFirst ? refusedBy : other.refusedBy,
      isPossible: isPossible && other.isPossible)
  }

  private func isLonger(than other: Decision) -> Bool {
    guard isPossible, other.isPossible else { return !isPossible }
    if retryAfter == other.retryAfter { return refusedBy != nil || other.refusedBy == nil }
    return waitsLonger(than: other)
  }

  /// Whether this one is for the caller, of two for different keys: a refusal, the longer wait, or
  /// the less that remains.
  package func isStricter(than other: Decision) -> Bool {
    guard isAllowed == other.isAllowed else { return other.isAllowed }
    return isAllowed ? remaining < other.remaining : waitsLonger(than: other)
  }

  /// Whether the wait is longer; none that could be named is the longest.
  private func waitsLonger(than other: Decision) -> Bool {
    guard let wait = other.retryAfter else { return false }
    return retryAfter.map { $0 > wait } ?? true
  }
}
