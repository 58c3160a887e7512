/// A concurrency limit, also known as a semaphore or bulkhead: at most N operations run at a time.
///
/// Use it to protect what suffers from parallel work, such as a connection pool or a disk. Use a
/// ``TokenBucket`` or a ``RateLimiter`` to limit how often something starts, `limitedBy:` if both
/// apply, `adaptive:` if the number is not known, and a ``KeyedConcurrencyLimit`` for
/// permits by key.
///
/// ```swift
/// let limit = ConcurrencyLimit(10)
/// let page = try await limit.withPermit(within: .seconds(1)) { try await fetch(url) }
/// let slow = ConcurrencyLimit(10, limitedBy: [.slidingWindow(100, per: .seconds(60))])
/// let server = ConcurrencyLimit(adaptive: 1...200, startingAt: 20)
/// ```
///
/// With `limitedBy:`, a permit and one of each limit are taken in one decision, at the first
/// instant at which a permit is free and all limits allow one more. A waiter holds no permit while
/// the limits delay it, and has spent nothing while it waits for a permit. Costs by name are
/// charged to those limits, and ``Permit/settle(_:)`` corrects them.
///
/// Two permits, each held for four steps, with a caller at each letter:
///
///     asked    abc--d------------
///     begins   ab--cd------------  in turn, when a permit comes back
///
/// ## Timing
/// A permit that comes back is granted to the first waiter immediately if the limits allow it. A
/// waiter is refused at its deadline; a permit that comes back at that instant or later is for the
/// next. A caller whose deadline is before the limits allow one more is refused immediately.
///
/// ## Concurrency
/// Thread-safe. Waiters are served in the order of a ``QueuePolicy``, and `tryAcquire()` does not
/// overtake them. A request that waits keeps the limit alive; a permit does not.
public final class ConcurrencyLimit: Sendable {
  let queue: LimitQueue
  /// Nil if the count does not adapt.
  private let isOverload: (@Sendable (any Error) -> Bool)?

  /// Creates a limit with all permits free.
  ///
  /// - Parameters:
  ///   - count: The most permits held at a time.
  ///   - limits: The limits of how often a permit is granted; a grant costs one of each.
  ///   - queue: The bound and the order of the waiters.
  ///   - clock: The clock of the timeouts and the limits.
  /// - Precondition: `count` is positive.
  public init(
    _ count: Int, limitedBy limits: [Limit] = [], queue: QueuePolicy = .unlimited,
    clock: any Clock<Duration> = .dispatch
  ) {
    isOverload = nil
    self.queue = LimitQueue(queue, service: clock.service) {
      LimitState(permits: count, nil, limits, at: $0)
    }
  }

  /// Creates a limit whose count adapts to what a server can bear.
  ///
  /// A success adds a permit in as many successes as there are permits, if at least half of them
  /// are in use; a sign of overload takes a tenth, at most once for all calls that began before.
  /// Latency is no sign: it also rises for reasons that fewer calls do not cure.
  ///
  /// - Parameters:
  ///   - range: The least and the most permits, in `1...1 << 30`.
  ///   - start: The number to begin with.
  ///   - isOverload: Whether an error that ends `withPermit` is a sign of overload. If nil, a
  ///     ``TimeoutError`` is, and an error that advises a retry after a time, as those for the
  ///     statuses 429 and 503 do. Other errors count as successes. An ``AcquireError`` and a
  ///     `CancellationError` teach nothing, unless a deadline in force has passed.
  ///   - limits: The limits of how often a permit is granted; a grant costs one of each.
  ///   - queue: The bound and the order of the waiters.
  ///   - clock: The clock of the timeouts and the limits.
  /// - Precondition: `start` is in the range.
  public init(
    adaptive range: ClosedRange<Int>, startingAt start: Int,
    isOverload: (@Sendable (any Error) -> Bool)? = nil, limitedBy limits: [Limit] = [],
    queue: QueuePolicy = .unlimited, clock: any Clock<Duration> = .dispatch
  ) {
    ConfigurationError.require(
      range.lowerBound >= 1 && range.upperBound <= 1 << 30, "adaptive", range,
      must: "be within 1...\(1 << 30)")
    ConfigurationError.require(range.contains(start), "startingAt", start, must: "be in \(range)")
    self.isOverload =
      isOverload ?? {
        $0 is TimeoutError || ($0 as? any RetryAdvising)?.retryAdvice?.hint != nil
      }
    self.queue = LimitQueue(queue, service: clock.service) {
      LimitState(permits: start, Adaptation(range, startingAt: start), limits, at: $0)
    }
  }

  deinit { queue.close(.ended) }

  /// Takes a permit if one is free, the limits allow the costs and there are no waiters.
  ///
  /// - Returns: The permit, which is given back if it is dropped; nil if it is refused.
  public func tryAcquire(_ costs: Costs = 1) -> Permit? {
    let instant = queue.decide { $0.tryAcquire(costs) ? $0.state.latest : nil }
    return instant.map { Permit(Charge(queue: queue, costs: costs, instant: $0)) }
  }

  /// Takes a permit, waiting for it in turn.
  ///
  /// Prefer `withPermit(_:within:_:)`, which gives it back in any case. A grant and a cancellation
  /// are decided once: either the call returns a permit, or none is taken.
  ///
  /// - Parameters:
  ///   - costs: The cost of each limit, one by default.
  ///   - timeout: The longest wait, nil for no bound; none if it is not positive.
  /// - Returns: The permit. Dropping it gives it back.
  /// - Throws: ``AcquireError`` if no permit is free in time, the queue is full, or the limit is
  ///   closed; `CancellationError` if the task is cancelled before the grant.
  public func acquire(_ costs: Costs = 1, within timeout: Duration? = nil) async throws -> Permit {
    Permit(try await queue.acquire(costs, within: timeout))
  }

  /// Runs an operation that holds a permit, and gives it back when the operation ends.
  ///
  /// The arguments are those of `acquire(_:within:)`, and so are the errors, besides the
  /// operation's. It runs on the caller's actor; nothing needs to be Sendable.
  public func withPermit<Success>(
    _ costs: Costs = 1, within timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ operation: nonisolated(nonsending) () async throws -> Success
  ) async throws -> Success {
    let charge = try await queue.acquire(costs, within: timeout)
    do {
      let success = try await operation()
      charge.releasePermit(.success)
      return success
    } catch {
      charge.releasePermit(outcome(of: error))
      throw error
    }
  }

  func outcome(of error: any Error) -> PermitOutcome {
    guard let isOverload else { return .unknown }
    return switch error {
    case is AcquireError: .unknown
    case is CancellationError:
      DeadlineInForce.current(on: queue.service)?.isOver == true ? .overload : .unknown
    default: isOverload(error) ? .overload : .success
    }
  }

  /// As `LimitingTool.acquire(_:within:on:completion:)`, for a permit.
  @discardableResult
  public func acquire(
    _ costs: Costs = 1, within timeout: Duration? = nil, on place: Place = .shared,
    completion: @escaping @Sendable (Result<Permit, AcquireError>) -> Void
  ) -> Acquisition {
    queue.acquire(costs, within: timeout, for: self, on: place, completion) { Permit($0) }
  }

  /// Changes the count, even while callers wait; an adaptive one continues from there.
  ///
  /// Permits that are held stay valid; if there are more than the new count, none is granted until
  /// enough are back.
  ///
  /// - Precondition: `count` is positive.
  public func reconfigure(_ count: Int) { queue.update { $0.state.reconfigure(permits: count) } }

  /// Closes the limit: waiters and later callers are refused with `AcquireError.closed`, and
  /// permits that are held stay valid.
  public func close() { queue.close(.refused(.closed)) }

  private var permits: Permits { queue.update { $0.state.permits ?? Permits(count: 0) } }

  /// The most permits held at a time; of an adaptive limit, at present.
  public var count: Int { permits.count }

  /// The number of permits held.
  public var heldCount: Int { permits.held }

  /// The number of free permits, less the waiters and regardless of the limits; it may be negative.
  public var available: Int {
    queue.update { ($0.state.permits?.available ?? 0) - $0.waiters.count }
  }

  /// The number of waiters.
  public var waitingCount: Int { queue.update { $0.waiters.count } }

  /// Counts of what the limit has decided since its creation; `tokens` are the costs.
  public var statistics: LimitStatistics { queue.update { $0.statistics } }
}
