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
/// let spent = try await limiter.acquire(["hourly": 5]) // a cost by name, to be settled later
/// ```
///
/// Three in six steps, requested one at a time at each letter:
///
///     asked      a---bcdefgh---
///     fixed      a---bcdef----- around a window's end it lets through twice as many
///     sliding    a---bcd---h--- no six steps ever hold more than three
///     bucket     a---bcdef-h--- three are saved up, and then one comes in two steps
///
/// The verbs, their timing and their thread safety are those of every ``LimitingTool``. Windows are
/// half-open: an event exactly one window old no longer counts.
public final class RateLimiter: LimitingTool, StreamingLimit {
  /// The limiter's lock, waiters and state.
  public let queue: LimitQueue

  /// Creates a limiter with nothing spent; `queue` and `clock` are those of a ``TokenBucket``.
  ///
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
    self.queue = LimitQueue(queue, service: clock.service) { LimitState(limits, at: $0) }
  }

  deinit { queue.close(.ended) }

  /// The limits in force.
  public var limits: [Limit] { queue.update { $0.state.limits } }

  /// Replaces the limits, even while callers wait.
  ///
  /// A limit keeps what was spent of the one with the same name and kind, of several an equal one;
  /// one without a counterpart starts with nothing spent. Limits without a name are matched by
  /// kind, in order. A window under way ends when it would have. Waiters keep their order and their
  /// costs by name; those whose cost exceeds a new capacity are refused.
  ///
  /// - Precondition: `limits` is not empty; check one known only at run time beforehand.
  public func reconfigure(_ limits: [Limit]) {
    queue.update { $0.reconfigure { $0.reconfigure(limits) } }
  }
}
