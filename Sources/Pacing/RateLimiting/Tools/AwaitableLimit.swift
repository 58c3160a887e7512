/// A limit that callers wait for: what `limited(by:)`, polls and retries need of one.
///
/// `TokenBucket`, `RateLimiter` and the limit of a key conform. Conform with a limit of your own,
/// or with a fake in a test:
///
/// ```swift
/// struct Unlimited: AwaitableLimit {
///   func acquire(_ cost: Int, within timeout: Duration?) async throws {}
/// }
/// ```
public protocol AwaitableLimit: Sendable {
  /// Spends a cost, waiting for it in turn.
  ///
  /// ## Timing
  /// A wait of exactly `timeout` is granted. One that would be longer, including the waiters ahead,
  /// is refused at once instead of when the time is over.
  ///
  /// ## Concurrency
  /// Either the cost is granted and the call returns, even in a task that is cancelled by then; or
  /// the cancellation comes first, and nothing is spent. A caller that leaves gives its place to
  /// the next.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - timeout: The longest wait, nil for no bound.
  /// - Throws: `AcquireError` if the cost cannot be had, or not in time; `CancellationError` if the
  ///   task is cancelled before it is granted.
  /// - Precondition: `cost` is not negative.
  func acquire(_ cost: Int, within timeout: Duration?) async throws
}

extension AwaitableLimit {
  /// Waits for the turn of an element; one that costs more than the limit can hold takes all of it.
  ///
  /// - Returns: Whether it was granted; false at the end of the limit, if it refuses, and if the
  ///   task is cancelled.
  func takeTurn(_ cost: Int) async -> Bool {
    if let tool = self as? any LimitingTool { return await tool.core.queue.takeNext(cost) != nil }
    var cost = cost
    while true {
      do {
        try await acquire(cost, within: nil)
        return true
      } catch let error as AcquireError {
        guard case .exceedsBurst(_, let burst) = error.kind, (1..<cost).contains(burst) else {
          return false
        }
        cost = burst
      } catch {
        return false
      }
    }
  }
}
