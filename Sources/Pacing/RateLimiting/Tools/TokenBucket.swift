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
/// the burst plus the tokens that accrue in it. A grant by a late timer counts from when its tokens
/// came, at most `catchUp` of the ``QueuePolicy`` ago. A cost of zero is always granted and changes
/// nothing; one above the burst never is, unless an ``Overdraft`` allows it.
///
/// ## Concurrency
/// Thread-safe. Waiters are served in FIFO order, or newest first by the ``QueuePolicy``; neither
/// `tryAcquire` nor a smaller cost overtakes them. The queue has one timer, armed only while
/// callers wait, and one for each waiter with a timeout. A request that waits keeps its bucket
/// alive; a stream and a ``Charge`` do not. The verbs are those of every ``LimitingTool``.
public final class TokenBucket: LimitingTool, StreamingLimit {
  /// The bucket's lock, waiters and state.
  public let queue: LimitQueue

  /// Creates a bucket, full by default.
  ///
  /// - Parameters:
  ///   - rate: The refill rate.
  ///   - burst: The most tokens that the bucket holds.
  ///   - initial: The tokens that it holds at first, nil for a full bucket.
  ///   - overdraft: Whether it grants a cost that it does not hold yet.
  ///   - queue: The bound and the order of the waiters.
  ///   - clock: The clock to follow.
  /// - Precondition: `burst` is positive, and `initial` is in `0...burst`.
  public init(
    rate: Rate, burst: Int, initial: Int? = nil, overdraft: Overdraft = .none,
    queue: QueuePolicy = .unlimited, clock: any Clock<Duration> = .dispatch
  ) {
    self.queue = LimitQueue(queue, service: clock.service) { now in
      LimitState(
        BucketLevel(rate: rate, burst: burst, initial: initial, overdraft: overdraft, at: now),
        at: now)
    }
  }

  deinit { queue.close(.ended) }

  /// The refill rate.
  public var rate: Rate { queue.update { $0.state.bucket?.scale.rate ?? .none } }

  /// The most tokens that the bucket holds.
  public var burst: Int { queue.update { $0.state.bucket?.scale.burst ?? 0 } }

  /// Changes the rate and, unless it is nil, the burst, even while callers wait.
  ///
  /// The bucket keeps its tokens, cut to the new burst. Waiters keep their order and are served at
  /// the new rate; those whose cost exceeds the new burst are refused.
  ///
  /// - Precondition: `burst` is positive.
  public func reconfigure(rate: Rate, burst: Int? = nil) {
    queue.update { $0.reconfigure { $0.reconfigure(rate: rate, burst: burst) } }
  }

  /// As `reconfigure(rate:burst:)`, at the present rate.
  public func reconfigure(burst: Int) {
    queue.update { $0.reconfigure { $0.reconfigure(rate: nil, burst: burst) } }
  }
}
