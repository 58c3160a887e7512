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
/// The verbs, their timing and their thread safety are those of every ``LimitingTool``. Over every
/// interval the grants are at most the burst plus the tokens that accrue in it.
public final class TokenBucket: LimitingTool, StreamingLimit {
  /// The bucket's lock, waiters and state.
  public let queue: LimitQueue

  /// Creates a bucket, full by default.
  ///
  /// A bucket of two, refilled with one token in four steps; a request for three and then one for
  /// one:
  ///
  ///     asked       31-----------
  ///     acquire     -1-----------  three never; one at once
  ///     overdraft   3---1--------  three at once, and one when those have been paid for
  ///
  /// - Parameters:
  ///   - rate: The refill rate.
  ///   - burst: The most tokens that the bucket holds.
  ///   - initial: The tokens that it holds at first, nil for a full bucket.
  ///   - allowsOverdraft: Whether a cost of any size is granted as soon as there is no debt; the
  ///     next caller waits until it is paid for. Over every interval this may add the largest cost.
  ///   - queue: The bound and the order of the waiters.
  ///   - clock: The clock to follow.
  /// - Precondition: `burst` is positive, and `initial` is in `0...burst`.
  public init(
    rate: Rate, burst: Int, initial: Int? = nil, allowsOverdraft: Bool = false,
    queue: QueuePolicy = .unlimited, clock: any Clock<Duration> = .dispatch
  ) {
    self.queue = LimitQueue(queue, service: clock.service) { now in
      LimitState(
        BucketLevel(
          rate: rate, burst: burst, initial: initial, allowsOverdraft: allowsOverdraft, at: now),
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

  // Not one method with an optional rate: `.none` would be no rate instead of a rate of none.
  /// As `reconfigure(rate:burst:)`, at the present rate.
  public func reconfigure(burst: Int) {
    queue.update { $0.reconfigure { $0.reconfigure(rate: nil, burst: burst) } }
  }
}
