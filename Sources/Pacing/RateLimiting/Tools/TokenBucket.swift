/// A rate limiter: a token bucket that allows bursts, and lets callers wait their turn.
///
/// The bucket holds up to `burst` tokens and refills at `rate`. Each call spends some; what is not
/// there is refused, or waited for, first come first served. Use it where no work may be lost but
/// only so much may happen in a time: requests to a server, writes, messages. Use a `Throttler`
/// where the newest value is all that matters.
///
/// ```swift
/// let bucket = TokenBucket(rate: .perSecond(100), burst: 20)
/// if bucket.tryAcquire() { send() }                    // now or not at all
/// try await bucket.acquire(within: .seconds(1))        // in turn, or a refusal at once
/// for await _ in bucket.ticks() { poll() }             // at the bucket's own pace
/// ```
///
/// A burst of 3 that refills with one token in four steps, asked for one at each letter:
///
///     asked       abcdef--g-------------
///     tryAcquire  abc-e---g-------------  what is not there is refused
///     acquire     abc-d---e---f---g-----  each waits for its turn
///
/// ## Timing
/// All counting is in whole numbers on an exact ratio: nothing drifts, and nothing overflows. A
/// token due at an instant is there at that instant. Over every interval the grants are at most the
/// burst and what comes in that time; where a timer was late, the grant is late, and time in which
/// the bucket was full is gone. A cost of zero is always granted and changes nothing; one above the
/// burst never is, unless an `Overdraft` allows it.
///
/// ## Concurrency
/// All methods may be called from any thread. Those who wait are served in order, a large cost
/// before the small ones that came after it, and `tryAcquire` overtakes nobody; a `QueuePolicy`
/// says otherwise. One timer stands for the whole queue, and none while nobody waits. A request
/// that waits keeps its bucket alive; a stream and a `Reservation` do not. `ticks()`,
/// `pause(for:)`, `close()` and other verbs are those of every ``LimitingTool``.
public final class TokenBucket: LimitingTool {
  let queue: LimitQueue<BucketState<Turn.Request>>

  /// What the limit stands on; there is nothing to do with it.
  public var _core: _LimitingCore { _LimitingCore(queue: queue) }

  /// Makes a bucket, full unless said otherwise.
  ///
  /// - Parameters:
  ///   - rate: How fast the bucket refills.
  ///   - burst: How many tokens it holds at most.
  ///   - initial: How many tokens it holds at first, nil for as many as it can.
  ///   - refill: Whether tokens come one by one or so many at a time.
  ///   - overdraft: Whether it grants what it does not hold yet.
  ///   - queue: How many may wait, and who is served first.
  ///   - clock: The clock that the bucket follows.
  /// - Precondition: `burst` is positive, and `initial` is in `0...burst`.
  public init(
    rate: Rate, burst: Int, initial: Int? = nil, refill: Refill = .continuous,
    overdraft: Overdraft = .none, queue: QueuePolicy = .unlimited,
    clock: any PacingClock = .dispatch
  ) {
    self.queue = LimitQueue(service: clock.service) { now in
      BucketState(
        rate: rate, burst: burst, initial: initial, refill: refill, overdraft: overdraft,
        queue: queue, at: now)
    }
  }

  deinit {
    queue.close(.ended)
  }

  /// Spends tokens if they are there and nobody waits for them: the hot path.
  ///
  /// - Parameter cost: How many.
  /// - Returns: Whether they were spent.
  /// - Precondition: `cost` is not negative.
  /// - Complexity: O(1), without allocation, while nobody waits.
  public func tryAcquire(_ cost: Int = 1) -> Bool {
    queue.tryAcquire(cost)
  }

  /// Spends tokens if they are there, and says what the caller can be told.
  ///
  /// - Parameter cost: How many.
  /// - Returns: Whether they were spent, what remains, and how long to wait where they were not.
  /// - Precondition: `cost` is not negative.
  public func request(_ cost: Int = 1) -> Decision {
    queue.request(cost)
  }

  /// Spends tokens, waiting for them in turn, as every `LimitingTool` does.
  ///
  /// - Parameters:
  ///   - cost: How many.
  ///   - timeout: How long to wait at most, nil for as long as it takes.
  /// - Throws: `AcquireError` where the tokens cannot be had, or not in time; `CancellationError`
  ///   where the task is cancelled before they are granted.
  /// - Precondition: `cost` is not negative.
  public func acquire(_ cost: Int = 1, within timeout: Duration? = nil) async throws {
    try await queue.acquire(cost, within: timeout)
  }
}
