/// A concurrency limit, also known as a semaphore or bulkhead: at most so many operations run at a
/// time.
///
/// Use it to protect what suffers from parallel work, such as a connection pool or a disk. Use a
/// ``TokenBucket`` or a ``RateLimiter`` to limit how often something starts, and `limitedBy:` if
/// both apply.
///
/// ```swift
/// let limit = ConcurrencyLimit(10)
/// let page = try await limit.withPermit(within: .seconds(1)) { try await fetch(url) }
/// ```
///
/// With `limitedBy:`, a permit and one of each limit are taken in one decision, at the first
/// instant at which a permit is free and all limits allow one more. A waiter holds no permit while
/// the limits delay it, and has spent nothing while it waits for a permit; a refusal takes nothing.
///
/// ```swift
/// let limit = ConcurrencyLimit(10, limitedBy: [.slidingWindow(100, per: .seconds(60))])
/// ```
///
/// Two permits, each held for four steps, with a caller at each letter:
///
///     asked    abc--d------------
///     begins   ab--cd------------  in turn, when a permit comes back
///
/// ## Timing
/// A permit that comes back is granted to the first waiter immediately. A waiter whose time is over
/// is refused at its deadline; a permit that comes back at that instant or later is for the next.
/// A waiter whose deadline is before the limits allow one more is refused immediately.
///
/// ## Concurrency
/// Thread-safe. Waiters are served in FIFO order, and `tryAcquire()` does not
/// overtake them; a ``QueuePolicy`` can bound the queue and serve the newest first. A grant and a
/// cancellation are decided under one lock. One timer is armed, only while callers wait with a
/// timeout or for the limits. A request that waits keeps the limit alive; a permit does not.
public final class ConcurrencyLimit: Sendable {
  typealias Queue = LimitQueue<ConcurrencyState<Turn.Request>>

  let queue: Queue

  /// Makes a limit with all permits free.
  ///
  /// - Parameters:
  ///   - count: The most permits held at a time.
  ///   - limits: The limits of how often a permit is granted; a grant costs one of each.
  ///   - queue: The bound and the order of the waiters; `catchUp` applies to token buckets in
  ///     `limits`.
  ///   - clock: The clock of the timeouts and the limits.
  /// - Precondition: `count` is positive.
  public init(
    _ count: Int, limitedBy limits: [Limit] = [], queue: QueuePolicy = .unlimited,
    clock: any Clock<Duration> = .dispatch
  ) {
    self.queue = LimitQueue(service: clock.service) {
      ConcurrencyState(count, limitedBy: limits, queue: queue, at: $0)
    }
  }

  /// As `init(_:limitedBy:queue:clock:)`, but throws ``ConfigurationError`` if `count` is not
  /// positive, such as one known only at run time.
  public convenience init(
    validating count: Int, limitedBy limits: [Limit] = [], queue: QueuePolicy = .unlimited,
    clock: any Clock<Duration> = .dispatch
  ) throws(ConfigurationError) {
    guard count > 0 else { throw ConfigurationError("count", count, must: "be positive") }
    self.init(count, limitedBy: limits, queue: queue, clock: clock)
  }

  deinit {
    queue.close(.ended)
  }

  // MARK: Verbs

  /// Takes a permit if one is free, the limits allow one more and there are no waiters; nil
  /// otherwise.
  ///
  /// - Complexity: O(1).
  public func tryAcquire() -> Permit? {
    queue.tryAcquire(1) ? Permit(queue) : nil
  }

  /// Takes a permit, waiting for it in turn.
  ///
  /// Prefer `withPermit(within:_:)`, which gives it back in any case.
  ///
  /// ## Concurrency
  /// Either the permit is granted and the call returns, even if the task is cancelled by then; or
  /// the cancellation comes first, and no permit is taken.
  ///
  /// - Parameter timeout: The longest wait, nil for no bound; if it is not positive, the call does
  ///   not wait.
  /// - Returns: The permit. Dropping it gives it back.
  /// - Throws: ``AcquireError`` if no permit can be had in time, the queue is full, or the limit is
  ///   closed; `CancellationError` if the task is cancelled before the grant.
  public func acquire(within timeout: Duration? = nil) async throws -> Permit {
    try await queue.acquire(1, within: timeout)
    return Permit(queue)
  }

  /// Runs an operation that holds a permit, and gives it back when the operation ends.
  ///
  /// ## Concurrency
  /// The operation runs on the caller's actor; nothing needs to be Sendable.
  ///
  /// - Parameters:
  ///   - timeout: The longest wait for the permit, nil for no bound.
  ///   - isolation: The caller's actor; leave it out.
  ///   - operation: The operation.
  /// - Returns: The operation's result.
  /// - Throws: The errors of `acquire(within:)`, or the operation's.
  public func withPermit<Success>(
    within timeout: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
    _ operation: nonisolated(nonsending) () async throws -> Success
  ) async throws -> Success {
    let permit = try await acquire(within: timeout)
    defer { permit.release() }
    return try await operation()
  }

  // MARK: Changes

  /// Changes the count, even while callers wait.
  ///
  /// Permits that are held stay valid; if there are more than the new count, none is granted until
  /// enough are back.
  ///
  /// - Parameter count: The most permits held at a time.
  /// - Precondition: `count` is positive; compare one known only at run time with zero.
  public func reconfigure(_ count: Int) {
    queue.update { limit, _ in limit.reconfigure(count) }
  }

  /// Closes the limit: it grants nothing from now on.
  ///
  /// Waiters and later callers are refused with `AcquireError.closed`. Permits that are held stay
  /// valid.
  public func close() { queue.close(.refused(.closed)) }

  // MARK: Queries

  /// The most permits held at a time.
  public var count: Int { queue.update { limit, _ in limit.limit } }

  /// The number of permits held.
  public var heldCount: Int { queue.update { limit, _ in limit.held } }

  /// The number of free permits, less the waiters and regardless of the limits; it may be negative.
  public var available: Int { queue.update { limit, _ in limit.available } }

  /// The number of waiters.
  public var waitingCount: Int { queue.update { limit, _ in limit.waitingCount } }

  /// Counts of what the limit has decided since its creation; `tokens` are permits.
  public var statistics: LimitStatistics { queue.update { limit, _ in limit.statistics } }
}
