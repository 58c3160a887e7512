/// A limit that callers can wait for, as `limited(by:)`, polls and retries do.
///
/// ``TokenBucket``, ``RateLimiter`` and the limit of a key conform. Conform a limit of your own, or
/// a fake in a test:
///
/// ```swift
/// struct Unlimited: AwaitableLimit {
///   func acquire(_ cost: Int, within timeout: Duration?) async throws {}
/// }
/// ```
public protocol AwaitableLimit: Sendable {
  /// What a caller gets for its cost, such as a ``Charge``.
  associatedtype Spent: Sendable = Void

  /// Spends a cost, waiting for it in turn.
  ///
  /// A wait of exactly `timeout` is granted. If the wait would be longer even if all waiters ahead
  /// are served, the call is refused immediately, not after the timeout. Either the cost is granted
  /// and the call returns, even if the task is cancelled by then; or the cancellation comes first,
  /// and nothing is spent. A caller that leaves gives its place to the next.
  ///
  /// - Parameters:
  ///   - cost: The cost to spend, not negative.
  ///   - timeout: The longest wait, nil for no bound.
  /// - Returns: What was charged.
  /// - Throws: ``AcquireError`` if the cost cannot be granted, or not in time; `CancellationError`
  ///   if the task is cancelled before the grant.
  @discardableResult
  func acquire(_ cost: Int, within timeout: Duration?) async throws -> Spent
}

/// A limit whose streams wait even if its queue is at its bound, because they cannot be told of a
/// refusal.
protocol StreamingLimit: AwaitableLimit {
  /// Takes a cost for a stream, nil at its end; a cost above the capacity takes the capacity.
  func takeNext(_ cost: Int) async -> PacingInstant?
}

extension StreamingLimit where Self: LimitingTool {
  func takeNext(_ cost: Int) async -> PacingInstant? { await queue.takeNext(cost) }
}
