/// A token-bucket rate limiter that allows bursts, and lets callers wait their turn.
///
/// The bucket holds up to `burst` tokens and refills at `rate`. Each call spends some; a cost that
/// is not available is refused, or waited for in FIFO order. Use it if no work may be lost but its
/// rate is limited: requests to a server, writes, messages. Use a ``Throttler`` if only the newest
/// value matters.
///
/// ```swift
/// let bucket = TokenBucket(rate: .perSecond(100), burst: 20)
/// if bucket.tryAcquire() { send() }                    // now or not at all
/// try await bucket.acquire(within: .seconds(1))        // in turn, or a refusal at once
/// for await _ in bucket.ticks() { poll() }             // at the bucket's own pace
/// ```
///
/// A burst of 3 that refills with one token in four steps, with a request for one at each letter:
///
///     asked       abcdef--g-------------
///     tryAcquire  abc-e---g-------------  what is not there is refused
///     acquire     abc-d---e---f---g-----  each waits for its turn
///
/// ## Timing
/// All arithmetic is on integers, with an exact ratio: nothing drifts, and nothing overflows. A
/// token due at an instant is available at that instant. Over every interval the grants are at most
/// the burst plus the tokens that accrue in it. A grant by a late timer is late, but counts from
/// when its tokens came, as far as `catchUp` of the ``QueuePolicy`` goes. A cost of zero is always
/// granted and changes nothing; one above the burst never is, unless an ``Overdraft`` allows it.
///
/// ## Concurrency
/// Thread-safe. Waiters are served in FIFO order, a large cost before smaller ones
/// that came after it, and `tryAcquire` does not overtake them; a ``QueuePolicy`` can change this.
/// The queue has one timer, armed only while callers wait. A request that waits keeps its bucket
/// alive; a stream and a ``Reservation`` do not. `ticks()`, `pause(for:)`, `close()` and other
/// verbs are those of every ``LimitingTool``.
public final class TokenBucket: LimitingTool {
  let queue: LimitQueue<BucketState<Turn.Request>>

  /// The tool's implementation, for the library only.
  public var _core: _LimitingCore { _LimitingCore(queue: queue) }

  /// Makes a bucket, full by default.
  ///
  /// - Parameters:
  ///   - rate: The refill rate.
  ///   - burst: The most tokens that the bucket holds.
  ///   - initial: The tokens that it holds at first, nil for a full bucket.
  ///   - refill: Whether tokens arrive one by one or many at a time.
  ///   - overdraft: Whether it grants a cost that it does not hold yet.
  ///   - queue: The bound and the order of the waiters.
  ///   - clock: The clock to follow.
  /// - Precondition: `burst` is positive, and `initial` is in `0...burst`.
  public convenience init(
    rate: Rate, burst: Int, initial: Int? = nil, refill: Refill = .continuous,
    overdraft: Overdraft = .none, queue: QueuePolicy = .unlimited,
    clock: any Clock<Duration> = .dispatch
  ) {
    self.init(
      queue: LimitQueue(service: clock.service) { now in
        BucketState(
          rate: rate, burst: burst, initial: initial, refill: refill, overdraft: overdraft,
          queue: queue, at: now)
      })
  }

  init(queue: LimitQueue<BucketState<Turn.Request>>) {
    self.queue = queue
  }

  deinit {
    queue.close(.ended)
  }

  /// As `LimitingTool.tryAcquire(_:)`: the hot path.
  ///
  /// - Complexity: O(1), without allocation, if there are no waiters.
  public func tryAcquire(_ cost: Int = 1) -> Bool {
    queue.tryAcquire(cost)
  }

  /// As `LimitingTool.request(_:)`, with a default cost of one.
  public func request(_ cost: Int = 1) -> Decision {
    queue.request(cost)
  }

  /// As `AwaitableLimit.acquire(_:within:)`, with a default cost of one.
  public func acquire(_ cost: Int = 1, within timeout: Duration? = nil) async throws {
    try await queue.acquire(cost, within: timeout)
  }
}
