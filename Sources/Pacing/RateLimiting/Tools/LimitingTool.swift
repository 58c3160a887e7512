/// The verbs of a rate limit, common to ``TokenBucket`` and ``RateLimiter``.
///
/// Each call has a *cost*, one by default, that is spent now, waited for in turn, or refused. A
/// refusal spends nothing. Code that works with any kind of limit takes `some LimitingTool`.
///
/// A negative cost is a programming error and traps, so validate costs from outside. A cost too
/// large for the limit is refused.
///
/// ## Concurrency
/// Thread-safe.
public protocol LimitingTool: AnyObject, AwaitableLimit {
  /// The implementation; a limit that wraps another one returns the wrapped limit's.
  var _core: _LimitingCore { get }

  /// Spends a cost if it is available and there are no waiters.
  ///
  /// - Parameter cost: The cost to spend.
  /// - Returns: Whether the cost was spent.
  /// - Precondition: `cost` is not negative.
  func tryAcquire(_ cost: Int) -> Bool

  /// Spends a cost if it is available and there are no waiters, and reports what to tell the
  /// caller.
  ///
  /// - Parameter cost: The cost to spend.
  /// - Returns: Whether the cost was spent, what remains, and how long to wait if it was not.
  /// - Precondition: `cost` is not negative.
  func request(_ cost: Int) -> Decision
}

extension LimitingTool {
  var core: _LimitingCore { _core }

  /// As `tryAcquire(_:)`, with a cost of one.
  public func tryAcquire() -> Bool { tryAcquire(1) }

  /// As `request(_:)`, with a cost of one.
  public func request() -> Decision { request(1) }

  /// As `acquire(_:within:)`, with a cost of one.
  public func acquire(within timeout: Duration? = nil) async throws {
    try await acquire(1, within: timeout)
  }

  /// As `acquire(_:within:)`, without a timeout.
  public func acquire(_ cost: Int) async throws { try await acquire(cost, within: nil) }

  /// The answer that `request(_:)` would give; nothing is spent.
  ///
  /// - Parameter cost: The cost to ask about.
  /// - Returns: The decision, with `remaining` and `resetAfter` as they would be after it.
  /// - Precondition: `cost` is not negative.
  public func peek(_ cost: Int = 1) -> Decision { core.queue.peek(cost) }

  /// Spends as much as is available, up to a number; nothing while callers wait.
  ///
  /// - Parameter count: The most to spend.
  /// - Returns: The amount spent.
  /// - Precondition: `count` is not negative.
  public func take(upTo count: Int) -> Int { core.queue.take(upTo: count) }

  /// The balance, rounded down, less what waiters and later reservations hold; it may be negative.
  public var available: Int { core.queue.available }

  /// The number of waiters.
  public var waitingCount: Int { core.queue.waitingCount }

  /// Counts of what the limit has decided since its creation.
  public var statistics: LimitStatistics { core.queue.statistics }

  /// Grants nothing for a time, such as one that a server requests with `Retry-After`.
  ///
  /// - Parameter duration: The length of the pause; zero or a negative one is no pause.
  public func pause(for duration: Duration) {
    core.queue.pause(for: Nanoseconds(wait: duration))
  }

  /// Grants nothing before an instant.
  ///
  /// Waiters keep their places, except those that can no longer be served in time, which are
  /// refused immediately. A bucket keeps refilling; also call `drain()` to prevent a burst
  /// afterwards. A longer pause stays in force. Reservations keep their times.
  ///
  /// - Parameter instant: The first instant at which something is granted again.
  public func pause(until instant: PacingInstant) { core.queue.pause(until: instant) }

  /// Ends a pause early.
  public func resume() { core.queue.resume() }

  /// Forgets what was spent, and ends a pause.
  ///
  /// Buckets become full, windows become empty, and windows on a grid restart now. Reservations and
  /// waiters stay.
  public func reset() { core.queue.reset() }

  /// Closes the limit: it grants nothing from now on.
  ///
  /// Waiters and later callers are refused with `AcquireError.closed`, and streams end.
  /// Reservations stay valid.
  public func close() { core.queue.close(.refused(.closed)) }
}

/// The implementation of a limit: its lock, its timer and its queue.
public struct _LimitingCore: Sendable {
  let queue: any AnyLimitQueue
}
