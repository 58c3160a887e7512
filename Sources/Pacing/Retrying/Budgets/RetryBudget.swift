/// A bound on the retries of all operations that share it, so that retries do not become the load
/// that a server cannot recover from.
///
/// ```swift
/// let budget = RetryBudget(capacity: 500, cost: 5)     // one for the whole service
/// let policy = RetryPolicy(backoff: backoff).sharing(budget)
/// ```
///
/// It is a quota of tokens: a retry takes its cost, a success gives back what its retry took, and a
/// success at the first attempt gives back one. A policy whose budget is empty gives up
/// immediately, with the reason `budget`, which its `onGiveUp` may count. An attempt that was
/// healthy for the period of `resetting(afterHealthy:)`, or whose sequence the consumer of
/// `retrying` leaves, is a success.
///
/// ## Concurrency
/// Thread-safe. A retry's cost is checked and taken in one step, so callers together never take
/// more than there is. A retry that is not made gives its cost back.
///
/// Source: the standard retry mode of the AWS SDKs, and the retry throttling of gRPC.
public final class RetryBudget: Sendable {
  private let capacity: Int
  private let cost: Int
  private let left: Locked<Int>

  /// Creates a full budget.
  ///
  /// - Parameters:
  ///   - capacity: The number of tokens at first, and at most; a negative one counts as zero.
  ///   - cost: What a retry takes, unless its ``RetryAdvice`` specifies otherwise; a negative one
  ///     counts as zero.
  public init(capacity: Int = 500, cost: Int = 5) {
    self.capacity = max(0, capacity)
    self.cost = max(0, cost)
    left = Locked(max(0, capacity))
  }

  /// The number of tokens left.
  public var available: Int { left.withLock { $0 } }

  /// Takes what a retry costs, as `advised` or as usual; returns what was taken, nil if there is
  /// too little.
  package func take(_ advised: Int?) -> Int? {
    let cost = advised ?? cost
    return left.withLock { left in
      guard cost <= left else { return nil }
      left -= cost
      return cost
    }
  }

  /// Gives back what was taken for a retry that is not made, or what a success gives.
  package func giveBack(_ tokens: Int) {
    left.withLock { $0 = min(capacity, $0.adding(tokens)) }
  }
}
