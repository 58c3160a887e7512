/// What `TokenBucket` and `RateLimiter` have in common: the verbs of a rate limit.
///
/// A call has a *cost*, one unless said otherwise. It is spent now or not at all, or waited for in
/// turn. A refusal spends nothing. Code that has to keep to a limit, of whatever kind, takes `some
/// LimitingTool`.
///
/// Costs are what the program reckons: a negative one is a mistake that stops it. One that comes
/// from outside is to be checked before. One that is too large for the limit is refused.
///
/// ## Concurrency
/// All methods may be called from any thread.
public protocol LimitingTool: AnyObject, AwaitableLimit {
  /// The implementation; a limit made of another returns that limit's.
  var _core: _LimitingCore { get }

  /// Spends a cost if it is there and nobody waits for it.
  ///
  /// - Precondition: `cost` is not negative.
  func tryAcquire(_ cost: Int) -> Bool

  /// Spends a cost if it is there and nobody waits for it, and says what the caller can be told.
  ///
  /// - Precondition: `cost` is not negative.
  func request(_ cost: Int) -> Decision
}

extension LimitingTool {
  var core: _LimitingCore { _core }

  /// Spends one if it is there and nobody waits for it.
  public func tryAcquire() -> Bool { tryAcquire(1) }

  /// Spends one if it is there and nobody waits for it, and says what the caller can be told.
  public func request() -> Decision { request(1) }

  /// Spends one, waiting for it in turn, as `acquire(_:within:)` does.
  public func acquire(within timeout: Duration? = nil) async throws {
    try await acquire(1, within: timeout)
  }

  /// Spends a cost, waiting for it in turn as long as it takes, as `acquire(_:within:)` does.
  public func acquire(_ cost: Int) async throws { try await acquire(cost, within: nil) }

  /// What `request(_:)` would answer; nothing is spent.
  ///
  /// - Parameter cost: How much would be asked for.
  /// - Returns: The decision, with `remaining` and `resetAfter` as they would be after it.
  /// - Precondition: `cost` is not negative.
  public func peek(_ cost: Int = 1) -> Decision { core.queue.peek(cost) }

  /// Spends as much as is there, up to a number; nothing while others wait for it.
  ///
  /// - Parameter count: How much at most.
  /// - Returns: How much was spent.
  /// - Precondition: `count` is not negative.
  public func take(upTo count: Int) -> Int { core.queue.take(upTo: count) }

  /// What is left, rounded down; what those in the queue wait for and what is reserved for later is
  /// taken off, so it may be negative.
  public var available: Int { core.queue.available }

  /// How many callers wait.
  public var waitingCount: Int { core.queue.waitingCount }

  /// What the limit has done since it was made.
  public var statistics: LimitStatistics { core.queue.statistics }

  /// Grants nothing for a time: what a server asks for with `Retry-After`.
  ///
  /// - Parameter duration: How long; none or a negative one is no pause.
  public func pause(for duration: Duration) {
    core.queue.pause(for: Nanoseconds(wait: duration))
  }

  /// Grants nothing before an instant.
  ///
  /// Those who wait keep their places, but for those whose time will be over; they are refused at
  /// once. Meanwhile a bucket refills; `drain()` it, too, where no burst should follow. A pause
  /// that lasts longer already stays as it is. Reservations keep their times.
  ///
  /// - Parameter instant: The first instant at which something is granted again.
  public func pause(until instant: PacingInstant) { core.queue.pause(until: instant) }

  /// Ends a pause before its time.
  public func resume() { core.queue.resume() }

  /// Forgets what was spent, and ends a pause.
  ///
  /// Buckets are full, windows are empty, and those on a grid begin anew. Reservations and those
  /// who wait stay.
  public func reset() { core.queue.reset() }

  /// Ends the limit: it grants nothing any more.
  ///
  /// Those who wait, and those who come later, are refused with `AcquireError.closed`, and streams
  /// end. Reservations stay good.
  public func close() { core.queue.close(.refused(.closed)) }
}

/// What a limit stands on: its lock, its timer, and those who wait.
public struct _LimitingCore: Sendable {
  let queue: any AnyLimitQueue
}
