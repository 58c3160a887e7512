/// The verbs of a rate limit, common to ``TokenBucket`` and ``RateLimiter``.
///
/// Each call has a *cost*, one by default, that is spent now, waited for in turn, or refused. A
/// refusal spends nothing. Code that works with any kind of limit takes `some LimitingTool`.
///
/// A negative cost, and the name of a part that the limit does not have, are programming errors and
/// trap, so validate costs from outside. A cost of zero is always granted and changes nothing; one
/// above the capacity never is, unless the bucket allows an overdraft.
///
/// ## Timing
/// All arithmetic is on integers, with an exact ratio: nothing drifts, and nothing overflows. A
/// token due at an instant is available at that instant. A grant by a late timer counts from when
/// its tokens came, at most `catchUp` of the ``QueuePolicy`` ago.
///
/// ## Concurrency
/// Thread-safe and re-entrant. Waiters are served in FIFO order, or newest first by the
/// ``QueuePolicy``; neither `tryAcquire` nor a smaller cost overtakes them. The queue has one
/// timer, armed only while callers wait, and one for each waiter with a timeout. A request that
/// waits keeps its limit alive; a stream and a ``Charge`` do not.
public protocol LimitingTool: AnyObject, AwaitableLimit where Spent == Charge {
  /// The limit's lock, waiters and state; a limit that wraps another one returns the wrapped
  /// limit's.
  var queue: LimitQueue { get }
}

extension LimitingTool {
  /// Spends a cost if each part has it and there are no waiters.
  ///
  /// - Returns: Whether the cost was spent.
  /// - Complexity: O(1), without allocation, if there are no waiters.
  @inlinable
  public func tryAcquire(_ cost: Int = 1) -> Bool { queue.tryAcquire(cost) }

  /// As `tryAcquire(_:)`, with a cost for each named part.
  public func tryAcquire(_ costs: Costs) -> Bool { queue.decide { $0.tryAcquire(costs) } }

  /// As `tryAcquire(_:)`, and reports what to tell the caller.
  @inlinable
  public func request(_ cost: Int = 1) -> Decision { queue.request(cost) }

  /// As `request(_:)`, with a cost for each named part.
  public func request(_ costs: Costs) -> Decision { queue.decide { $0.request(costs) } }

  /// Spends a cost as `request(_:)` does, and returns the answer of each part, in their order, as a
  /// server needs that reports all of its limits.
  ///
  /// Parts that would allow the cost report so, even if another one refuses. While callers wait, or
  /// during a pause, every part refuses, and its `retryAfter` includes that wait. The cost was
  /// spent if all allow it.
  public func requestEach(_ costs: Costs = 1) -> [Decision] {
    queue.update { $0.requestEach(costs) }
  }

  /// The answer that `request(_:)` would give, with `remaining` and `resetAfter` as they would be
  /// after it; nothing is spent.
  public func peek(_ cost: Int = 1) -> Decision { peek(Costs(cost)) }

  /// As `peek(_:)`, with a cost for each named part.
  public func peek(_ costs: Costs) -> Decision { queue.update { $0.peek(costs) } }

  /// Spends as much as the least part has, up to a number, and returns the amount; nothing while
  /// callers wait.
  public func take(upTo count: Int) -> Int { queue.update { $0.take(upTo: count) } }

  /// As `AwaitableLimit.acquire(_:within:)`, with a default cost of one.
  ///
  /// - Returns: What was charged, to be corrected when the real cost is known.
  @discardableResult
  public func acquire(_ cost: Int = 1, within timeout: Duration? = nil) async throws -> Charge {
    try await queue.acquire(Costs(cost), within: timeout)
  }

  /// As `acquire(_:within:)`, with a cost for each named part.
  @discardableResult
  public func acquire(_ costs: Costs, within timeout: Duration? = nil) async throws -> Charge {
    try await queue.acquire(costs, within: timeout)
  }

  /// Requests a cost, and calls a closure when it is granted or refused.
  ///
  /// The completion is called once, on the place and never on the caller's stack, with what was
  /// charged; not if the request is withdrawn first.
  ///
  /// - Returns: A handle that tells the expected wait and withdraws the request; dropping it does
  ///   not.
  @discardableResult
  public func acquire(
    _ costs: Costs = 1, within timeout: Duration? = nil, on place: Place = .shared,
    completion: @escaping @Sendable (Result<Charge, AcquireError>) -> Void
  ) -> Acquisition {
    queue.acquire(costs, within: timeout, for: self, on: place, completion) { $0 }
  }

  /// The instants from which the limit's grants count, as a stream: each call of `next()` waits for
  /// one, in turn with all other callers.
  ///
  /// Nothing is taken ahead of demand. The stream ends if its task is cancelled, which spends
  /// nothing, and if the limit is closed or dropped. The queue's bound does not apply to it. Each
  /// call makes a separate stream.
  public func ticks() -> AsyncStream<PacingInstant> {
    AsyncStream { [queue] in await queue.takeNext(1) }
  }

  /// Gives tokens back: a reward, or a refund for work that was not done.
  ///
  /// A bucket is filled up to its burst; a window forgets its latest events.
  public func add(_ costs: Costs) {
    queue.update {
      $0.state.require(costs)
      $0.state.giveBack(costs)
    }
  }

  /// As `add(_:)`, with the same number for each part.
  public func add(_ count: Int) { add(Costs(count)) }

  /// Takes tokens even into debt: a penalty, or work that was done without asking.
  ///
  /// The balance may become negative; all callers wait until it is paid for.
  public func penalize(_ costs: Costs) {
    queue.update {
      $0.state.require(costs)
      $0.state.spend(costs, at: $0.state.latest)
    }
  }

  /// As `penalize(_:)`, with the same number for each part.
  public func penalize(_ count: Int) { penalize(Costs(count)) }

  /// Lowers a part to what a server says remains of it; never raises it.
  ///
  /// If nothing remains, the next token comes at the reported reset, or later if it would without
  /// the report; of a fixed window not before its end. Other parts continue. Waiters stay.
  ///
  /// - Returns: Whether the limit has a part of that name, nil for those without one. A name that
  ///   it lacks changes nothing, since names come from outside.
  @discardableResult
  public func correct(
    _ name: Limit.Name? = nil, remaining: Int, resetAfter reset: Duration? = nil
  ) -> Bool {
    queue.update {
      let next = $0.state.latest + Nanoseconds(wait: reset ?? .zero)
      return $0.state.lower(name, to: max(0, remaining), next: next)
    }
  }

  /// Takes everything that is available; returns the number of tokens, of several parts the least.
  @discardableResult
  public func drain() -> Int { queue.update { $0.state.drain() } }

  /// Grants nothing for a time, such as one that a server requests with `Retry-After`.
  ///
  /// Waiters keep their places. A bucket keeps refilling; also call `drain()` to prevent a burst
  /// afterwards. A longer pause stays in force; zero or a negative duration is no pause.
  public func pause(for duration: Duration) {
    queue.update { $0.state.pause(until: $0.state.latest + Nanoseconds(wait: duration)) }
  }

  /// Ends a pause early.
  public func resume() { queue.update { $0.state.resume() } }

  /// Forgets what was spent, and ends a pause.
  ///
  /// Buckets become full, windows become empty, and windows on a grid restart now. Waiters stay.
  public func reset() { queue.update { $0.state.reset() } }

  /// Closes the limit: it grants nothing from now on.
  ///
  /// Waiters that are due are served first. The others and later callers are refused with
  /// `AcquireError.closed`, and streams end.
  public func close() { queue.close(.refused(.closed)) }

  /// The balance, rounded down, less what waiters ask for; it may be negative.
  public var available: Int { queue.update { $0.state.available } }

  /// The number of waiters.
  public var waitingCount: Int { queue.update { $0.waiters.count } }

  /// Counts of what the limit has decided since its creation.
  public var statistics: LimitStatistics { queue.update { $0.statistics } }
}
