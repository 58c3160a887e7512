/// A rate limiter that keeps to one limit or several at once: token buckets, fixed and sliding
/// windows.
///
/// A cost is allowed when all of its limits allow it, in one decision: a refusal charges none of
/// them, and names the one to blame. Its verbs are those of a `TokenBucket`, which is faster where
/// a single bucket is all there is; where each user has a limit of his own, use a
/// `KeyedRateLimiter`.
///
/// ```swift
/// let limiter = RateLimiter(
///   .tokenBucket(rate: .perSecond(10), burst: 20).named("burst"),
///   .slidingWindow(1000, per: .seconds(3600)).named("hourly"))
/// if limiter.tryAcquire() { send() }                   // now or not at all
/// try await limiter.acquire(within: .seconds(1))       // in turn, or a refusal at once
/// let decision = limiter.request(3)                    // refusedBy: "hourly"
/// ```
///
/// Three in six steps, asked for one at each letter:
///
///     asked      a---bcdefgh---
///     fixed      a---bcdef----- around a window's end it lets through twice as many
///     sliding    a---bcd---h--- no six steps ever hold more than three
///     bucket     a---bcdef-h--- three are saved up, and then one comes in two steps
///
/// ## Timing
/// All counting is in whole numbers: nothing drifts, and nothing overflows. What is due at an
/// instant is allowed at that instant. Windows are half-open: what is exactly one window old no
/// longer counts. A cost of zero is always granted and changes nothing; one above the least
/// capacity never is.
///
/// ## Concurrency
/// All methods may be called from any thread. Those who wait are served in order, a large cost
/// before the small ones that came after it, and `tryAcquire` overtakes nobody; a `QueuePolicy`
/// says otherwise. One timer stands for the whole queue, and none while nobody waits. A request
/// that waits keeps its limiter alive; a stream does not.
public final class RateLimiter: LimitingTool {
  private let queue: LimitQueue<RateLimiterState<Turn.Request>>

  /// What the limit stands on; there is nothing to do with it.
  public var _core: _LimitingCore { _LimitingCore(queue: queue) }

  /// Makes a limiter of which nothing is spent.
  ///
  /// - Parameters:
  ///   - limits: What it keeps to, one limit or several.
  ///   - queue: How many may wait, and who is served first.
  ///   - clock: The clock that it follows.
  /// - Precondition: There is a limit.
  public convenience init(
    _ limits: Limit..., queue: QueuePolicy = .unlimited, clock: any PacingClock = .dispatch
  ) {
    self.init(limits, queue: queue, clock: clock)
  }

  /// Makes a limiter of which nothing is spent.
  ///
  /// - Parameters:
  ///   - limits: What it keeps to, one limit or several.
  ///   - queue: How many may wait, and who is served first.
  ///   - clock: The clock that it follows.
  /// - Precondition: There is a limit.
  public init(
    _ limits: [Limit], queue: QueuePolicy = .unlimited, clock: any PacingClock = .dispatch
  ) {
    self.queue = LimitQueue(service: clock.service) {
      RateLimiterState(limits, queue: queue, at: $0)
    }
  }

  /// Makes a limiter from settings that are not part of the program.
  ///
  /// - Parameters:
  ///   - limits: What it keeps to, one limit or several.
  ///   - queue: How many may wait, and who is served first.
  ///   - clock: The clock that it follows.
  /// - Throws: `ConfigurationError` where there is no limit.
  public convenience init(
    validating limits: [Limit], queue: QueuePolicy = .unlimited, clock: any PacingClock = .dispatch
  ) throws(ConfigurationError) {
    try CombinedLimitState.validate(limits)
    self.init(limits, queue: queue, clock: clock)
  }

  deinit {
    queue.close(.ended)
  }

  /// The limits that it keeps to.
  public var limits: [Limit] { queue.update { limiter, _ in limiter.settings } }

  /// Keeps to other limits from now on, while callers wait.
  ///
  /// A limit keeps what was spent of the one with the same name and of the same kind; one that has
  /// none begins as new. A window under way ends when it would have. Waiters keep their order, and
  /// those that cannot be served in time any more, or not at all, are refused at once.
  ///
  /// - Parameters:
  ///   - limits: The new limits, one or several.
  ///   - inheritance: The tokens that a bucket keeps. Windows keep what was spent, except that
  ///     `reset` forgets it.
  /// - Precondition: There is a limit.
  public func reconfigure(_ limits: [Limit], inheriting inheritance: Inheritance = .keep) {
    queue.update { $0.reconfigure(limits, inheriting: inheritance, at: $1) }
  }

  /// Spends a cost if all limits allow it and nobody waits.
  ///
  /// - Parameter cost: How much.
  /// - Returns: Whether it was spent.
  /// - Precondition: `cost` is not negative.
  public func tryAcquire(_ cost: Int = 1) -> Bool {
    queue.tryAcquire(cost)
  }

  /// Spends a cost if all limits allow it, and says what the caller can be told.
  ///
  /// - Parameter cost: How much.
  /// - Returns: Whether it was spent, what remains, how long to wait where it was not, and the
  ///   limit that has to be waited for the longest.
  /// - Precondition: `cost` is not negative.
  public func request(_ cost: Int = 1) -> Decision {
    queue.request(cost)
  }

  /// Spends a cost if all limits allow it, as `request(_:)` does, and returns the answer of each.
  ///
  /// A server that describes all of its limits to clients needs them: of several, `request(_:)`
  /// returns the least that remains and the longest wait. A refusal spends nothing, and the limits
  /// that would allow the cost say so.
  ///
  /// - Parameter cost: The cost.
  /// - Returns: A decision for each limit, in their order; the cost was spent if all allow it.
  /// - Precondition: `cost` is not negative.
  public func requestEach(_ cost: Int = 1) -> [Decision] {
    queue.update { limit, now in limit.requestEach(cost, at: now) }
  }

  /// Spends a cost, waiting for it in turn, as every `LimitingTool` does.
  ///
  /// - Parameters:
  ///   - cost: How much.
  ///   - timeout: How long to wait at most, nil for as long as it takes.
  /// - Throws: `AcquireError` where the cost cannot be had, or not in time; `CancellationError`
  ///   where the task is cancelled before it is granted.
  /// - Precondition: `cost` is not negative.
  public func acquire(_ cost: Int = 1, within timeout: Duration? = nil) async throws {
    try await queue.acquire(cost, within: timeout)
  }
}
