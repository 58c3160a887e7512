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
/// before the small ones that came after it, and `tryAcquire` overtakes nobody. One timer stands
/// for the whole queue, and none while nobody waits. A request that waits keeps its limiter alive;
/// a stream does not.
public final class RateLimiter: Sendable {
  private let dispenser: TokenDispenser<RateLimiterState<Turn.Request>>

  /// Makes a limiter of which nothing is spent.
  ///
  /// - Parameters:
  ///   - limits: What it keeps to, one limit or several.
  ///   - clock: The clock that it follows.
  /// - Precondition: There is a limit.
  public convenience init(_ limits: Limit..., clock: some PacingClock = .dispatch) {
    self.init(limits, clock: clock)
  }

  /// Makes a limiter of which nothing is spent.
  ///
  /// - Parameters:
  ///   - limits: What it keeps to, one limit or several.
  ///   - clock: The clock that it follows.
  /// - Precondition: There is a limit.
  public init(_ limits: [Limit], clock: some PacingClock = .dispatch) {
    dispenser = TokenDispenser(service: clock.service) { RateLimiterState(limits, at: $0) }
  }

  deinit {
    dispenser.close(.ended)
  }

  /// Spends a cost if all limits allow it and nobody waits.
  ///
  /// - Parameter cost: How much.
  /// - Returns: Whether it was spent.
  /// - Precondition: `cost` is not negative.
  public func tryAcquire(_ cost: Int = 1) -> Bool {
    dispenser.tryAcquire(cost)
  }

  /// Spends a cost if all limits allow it, and says what the caller can be told.
  ///
  /// - Parameter cost: How much.
  /// - Returns: Whether it was spent, what remains, how long to wait where it was not, and the
  ///   limit that has to be waited for the longest.
  /// - Precondition: `cost` is not negative.
  public func request(_ cost: Int = 1) -> Decision {
    dispenser.update { $0.request(cost, at: $1) }
  }

  /// What `request(_:)` would answer; nothing is spent.
  ///
  /// - Parameter cost: How much would be asked for.
  /// - Returns: The decision, with `remaining` and `resetAfter` as they would be after it.
  /// - Precondition: `cost` is not negative.
  public func peek(_ cost: Int = 1) -> Decision {
    dispenser.update { $0.peek(cost, at: $1) }
  }

  /// Spends as much as all limits allow at once, up to a number; nothing while others wait.
  ///
  /// - Parameter count: How much at most.
  /// - Returns: How much was spent.
  /// - Precondition: `count` is not negative.
  public func take(upTo count: Int) -> Int {
    dispenser.update { $0.take(upTo: count, at: $1) }
  }

  /// What all limits allow now; what those in the queue wait for is taken off, so it may be
  /// negative.
  public var available: Int {
    dispenser.update { $0.available(at: $1) }
  }

  /// How many callers wait.
  public var waiting: Int {
    dispenser.update { limiter, _ in limiter.waitingCount }
  }
}

extension RateLimiter {
  /// Grants nothing for a while: what a server's answer asked for.
  ///
  /// Those who wait keep their places, but for those whose time will be over; they are refused at
  /// once. The limits go on meanwhile, so a bucket fills. A pause never shortens a longer one.
  ///
  /// - Parameter duration: How long, from now.
  public func pause(for duration: Duration) {
    let span = Nanoseconds(wait: duration)
    dispenser.update { $0.pause(until: $1 + span) }
  }

  /// Ends a pause.
  public func resume() {
    dispenser.update { limiter, _ in limiter.resume() }
  }

  /// Makes the limits as they were at first, and ends a pause: windows are empty, and those on a
  /// grid begin anew.
  public func reset() {
    dispenser.update { $0.reset(at: $1) }
  }

  /// Ends the limiter: those who wait, and all who come later, are refused with
  /// `AcquireError.closed`.
  public func close() {
    dispenser.close(.refused(.closed))
  }
}

extension RateLimiter {
  /// Spends a cost, waiting for it in turn.
  ///
  /// ## Timing
  /// A wait of exactly `timeout` is granted. One that would be longer, counting those who wait
  /// already, is refused at once instead of when the time is over.
  ///
  /// ## Concurrency
  /// Either the cost is granted and the call returns, in a task cancelled by then too; or the
  /// cancellation comes first, and nothing is spent. A caller who leaves gives his place to the
  /// next.
  ///
  /// - Parameters:
  ///   - cost: How much.
  ///   - timeout: How long to wait at most, nil for as long as it takes.
  /// - Throws: `AcquireError` where the cost cannot be had, or not in time, or after `close()`;
  ///   `CancellationError` where the task is cancelled before it is granted.
  /// - Precondition: `cost` is not negative.
  public func acquire(_ cost: Int = 1, within timeout: Duration? = nil) async throws {
    try await dispenser.acquire(cost, within: timeout)
  }

  /// Asks for a cost, and has a closure called when it is granted or refused.
  ///
  /// - Parameters:
  ///   - cost: How much.
  ///   - timeout: How long to wait at most, nil for as long as it takes.
  ///   - delivery: Where the completion runs; never on the caller's stack.
  ///   - completion: Called once, unless the request is withdrawn first.
  /// - Returns: A handle to withdraw the request; dropping it does not.
  /// - Precondition: `cost` is not negative.
  public func acquire(
    _ cost: Int = 1, within timeout: Duration? = nil, on delivery: Delivery = .shared,
    _ completion: @escaping @Sendable (Result<Void, AcquireError>) -> Void
  ) -> Acquisition {
    dispenser.acquire(cost, within: timeout, for: self, Callback(on: delivery, completion))
  }

  /// Asks for a cost, and has a closure called on the main actor when it is granted or refused.
  ///
  /// - Parameters:
  ///   - cost: How much.
  ///   - timeout: How long to wait at most, nil for as long as it takes.
  ///   - delivery: `.main`.
  ///   - completion: Called once, unless the request is withdrawn first.
  /// - Returns: A handle to withdraw the request; dropping it does not.
  /// - Precondition: `cost` is not negative.
  public func acquire(
    _ cost: Int = 1, within timeout: Duration? = nil, on delivery: MainDelivery,
    _ completion: @escaping @MainActor (Result<Void, AcquireError>) -> Void
  ) -> Acquisition {
    dispenser.acquire(cost, within: timeout, for: self, Callback(on: delivery, completion))
  }

  /// What the limits allow as a stream: each call of `next()` waits for one, in turn with all
  /// others.
  ///
  /// Nothing is taken ahead: a consumer who does not ask spends nothing. The stream ends when its
  /// task is cancelled, which spends nothing, and when the limiter is dropped, which it does not
  /// prevent.
  ///
  /// - Returns: A stream of its own.
  public func ticks() -> AsyncStream<Grant> {
    dispenser.ticks()
  }
}
