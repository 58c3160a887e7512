/// A rate limiter that enforces one or several limits at once: token buckets, fixed windows and
/// sliding windows.
///
/// A cost is allowed if all limits allow it, in one decision: a refusal charges none of them, and
/// names the one responsible. It has the verbs of a ``TokenBucket``, which is faster if a single
/// bucket is all you need. If each user has a separate limit, use a ``KeyedRateLimiter``.
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
/// Three in six steps, requested one at a time at each letter:
///
///     asked      a---bcdefgh---
///     fixed      a---bcdef----- around a window's end it lets through twice as many
///     sliding    a---bcd---h--- no six steps ever hold more than three
///     bucket     a---bcdef-h--- three are saved up, and then one comes in two steps
///
/// ## Timing
/// All arithmetic is on integers: nothing drifts, and nothing overflows. A cost due at an instant
/// is allowed at that instant. Windows are half-open: an event exactly one window old no longer
/// counts. A cost of zero is always granted and changes nothing; one above the smallest capacity
/// never is.
///
/// ## Concurrency
/// Thread-safe. Waiters are served in FIFO order, a large cost before smaller ones
/// that came after it, and `tryAcquire` does not overtake them; a ``QueuePolicy`` can change this.
/// The queue has one timer, armed only while callers wait. A request that waits keeps its limiter
/// alive; a stream does not.
public final class RateLimiter: LimitingTool {
  private let queue: LimitQueue<RateLimiterState<Turn.Request>>

  /// The tool's implementation, for the library only.
  public var _core: _LimitingCore { _LimitingCore(queue: queue) }

  /// Makes a limiter with nothing spent.
  ///
  /// - Parameters:
  ///   - limits: The limits to enforce, at least one.
  ///   - queue: The bound and the order of the waiters.
  ///   - clock: The clock to follow.
  /// - Precondition: `limits` is not empty.
  public convenience init(
    _ limits: Limit..., queue: QueuePolicy = .unlimited, clock: any Clock<Duration> = .dispatch
  ) {
    self.init(limits, queue: queue, clock: clock)
  }

  /// As the variadic initialiser, with the limits in an array.
  public init(
    _ limits: [Limit], queue: QueuePolicy = .unlimited, clock: any Clock<Duration> = .dispatch
  ) {
    self.queue = LimitQueue(service: clock.service) {
      RateLimiterState(limits, queue: queue, at: $0)
    }
  }

  /// As `init(_:queue:clock:)`, but throws ``ConfigurationError`` if there are no limits.
  public convenience init(
    validating limits: [Limit], queue: QueuePolicy = .unlimited,
    clock: any Clock<Duration> = .dispatch
  ) throws(ConfigurationError) {
    try CombinedLimitState.validate(limits)
    self.init(limits, queue: queue, clock: clock)
  }

  deinit {
    queue.close(.ended)
  }

  /// The limits in force.
  public var limits: [Limit] { queue.update { limiter, _ in limiter.settings } }

  /// Replaces the limits, even while callers wait.
  ///
  /// A limit inherits what was spent of the one with the same name and kind; one without a
  /// counterpart starts with nothing spent. A window under way ends when it would have. Waiters
  /// keep their order; those that can no longer be served in time, or at all, are refused
  /// immediately.
  ///
  /// - Parameters:
  ///   - limits: The new limits, at least one.
  ///   - inheritance: The tokens that a bucket keeps. Windows keep what was spent, except that
  ///     `reset` forgets it.
  /// - Precondition: `limits` is not empty; check one known only at run time beforehand.
  public func reconfigure(_ limits: [Limit], inheriting inheritance: Inheritance = .keep) {
    queue.update { $0.reconfigure(limits, inheriting: inheritance, at: $1) }
  }

  /// As `LimitingTool.tryAcquire(_:)`, if all limits allow the cost.
  public func tryAcquire(_ cost: Int = 1) -> Bool {
    queue.tryAcquire(cost)
  }

  /// As `LimitingTool.request(_:)`, if all limits allow the cost; of several that refuse, the
  /// decision names the one with the longest wait.
  public func request(_ cost: Int = 1) -> Decision {
    queue.request(cost)
  }

  /// Spends a cost if all limits allow it, as `request(_:)` does, and returns each limit's answer.
  ///
  /// A server that reports all of its limits to clients needs them, because `request(_:)` returns
  /// only the least that remains and the longest wait. A refusal spends nothing, and the limits
  /// that would allow the cost report so; while callers wait or a pause lasts, none does, and each
  /// wait includes that.
  ///
  /// - Parameter cost: The cost to spend.
  /// - Returns: A decision for each limit, in their order; the cost was spent if all allow it.
  /// - Precondition: `cost` is not negative.
  public func requestEach(_ cost: Int = 1) -> [Decision] {
    queue.update { limit, now in limit.requestEach(cost, at: now) }
  }

  /// As `AwaitableLimit.acquire(_:within:)`, with a default cost of one.
  public func acquire(_ cost: Int = 1, within timeout: Duration? = nil) async throws {
    try await queue.acquire(cost, within: timeout)
  }
}
