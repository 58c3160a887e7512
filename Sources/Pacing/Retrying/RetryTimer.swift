/// A timer for retries and reconnects: each attempt comes after the next delay of a backoff.
///
/// Use it if a failure is an event, such as a connection that closes. Use
/// `retry(_:clock:judging:_:)` for an operation that is an async function.
///
/// ```swift
/// let timer = RetryTimer(backoff: .exponential(from: .seconds(1)).jittered(.equal)) { attempt in
///   connect()
/// }
/// timer.scheduleNext()  // it failed: try again, later each time
/// timer.succeeded()  // it works: restart with the first delay
/// ```
///
/// A backoff from one step; `f` is a failure that calls `scheduleNext()`, `s` a success:
///
///     calls      f-f--f----s--f-
///     attempts   -1--2----3----1
///
/// ## Timing
/// A delay counts from the call of `scheduleNext()`. While an attempt is pending, further calls are
/// no-ops: two reports of one failure cause one attempt. With a healthy period, a failure that
/// comes that long after the last attempt restarts the backoff, without a `succeeded()`.
///
/// ## Concurrency
/// Thread-safe and re-entrant. One handler runs at a time, unless an async one has another
/// ``Overlap``, and never on the caller's stack. Dropping the last reference drops the pending
/// attempt, runs a decided one, and ends the streams.
public final class RetryTimer: DeliveringTool {
  private let pacer: Pacer<RetryTimerState>

  /// Creates a timer; `handle` attaches a handler to it.
  ///
  /// - Parameters:
  ///   - backoff: How long to wait before each attempt.
  ///   - healthyPeriod: How long after an attempt a failure restarts the backoff; nil for never.
  ///   - tolerance: The maximum extra delay of an attempt, so that timers can share a wake.
  ///   - clock: The timer's clock.
  public init(
    backoff: Backoff, healthyPeriod: Duration? = nil, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch
  ) {
    let healthyPeriod = healthyPeriod.map(Nanoseconds.init(wait:)) ?? .never
    pacer = Pacer(
      RetryTimerState(backoff, healthyPeriod: healthyPeriod), tolerance: tolerance,
      service: clock.service)
  }

  /// Creates a timer with a handler that runs on the library's threads.
  public convenience init(
    backoff: Backoff, healthyPeriod: Duration? = nil, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch, handler: @escaping @Sendable (Attempt) -> Void
  ) {
    self.init(
      backoff: backoff, healthyPeriod: healthyPeriod, tolerance: tolerance, clock: clock)
    handle(handler)
  }

  deinit {
    pacer.abandon()
  }

  /// Attaches a handler that a form of `handle` has made.
  public func attach(_ handler: Handler<Attempt>) { pacer.attach(handler) }

  /// Sets a closure that is called with each attempt that is not made, and the reason.
  public func onDrop(_ observer: @escaping @Sendable (Attempt, DropReason) -> Void) {
    pacer.observeDrops(observer)
  }

  /// Schedules the next attempt, after the next delay of the backoff.
  ///
  /// - Parameter delay: A delay from now that the server specified. It raises the backoff's delay
  ///   and never lowers it; at most 24 hours of it count.
  /// - Returns: The attempt, now pending; nil if one was pending already or the backoff has ended.
  @discardableResult
  public func scheduleNext(after delay: Duration? = nil) -> Attempt? {
    let hint = delay.map(Nanoseconds.init(wait:))
    while true {
      // Computed outside the lock, since a backoff may be a user's closure.
      let proposal = pacer.read { $0.state }.proposal(after: hint, at: pacer.service.now)
      let (isCurrent, attempt) =
        pacer.updateUnlessDecided { state, now in
          let isCurrent = state.isCurrent(proposal)
          return (isCurrent, isCurrent ? state.scheduleNext(proposal, at: now) : nil)
        } ?? (true, nil)
      if isCurrent { return attempt }
    }
  }

  /// Makes the pending attempt now; the backoff keeps its position.
  ///
  /// Use it when the app comes to the foreground or the network returns.
  ///
  /// - Returns: The attempt; nil if none was pending.
  @discardableResult
  public func attemptNow() -> Attempt? {
    pacer.updateUnlessDecided { $0.attemptNow(at: $1) } ?? nil
  }

  /// Restarts the backoff, with attempt 1 after the first delay; a pending attempt stays.
  public func succeeded() {
    pacer.update { state, _ in state.succeeded() }
  }

  /// Withdraws the attempt that has not begun; the backoff keeps its position.
  ///
  /// - Returns: Whether there was one. It will not be made.
  @discardableResult
  public func cancel() -> Bool {
    pacer.withdraw() != nil
  }

  /// As `cancel()`, and restarts the backoff.
  @discardableResult
  public func reset() -> Bool {
    pacer.withdraw { $0.reset() } != nil
  }

  /// The time until the pending attempt; nil if there is none.
  public var timeRemaining: Duration? {
    pacer.read { $0.state.deadline }.wait(from: pacer.service.now)
  }

  /// Whether an attempt is scheduled, or decided and not begun.
  public var isPending: Bool { pacer.read { $0.hasUndelivered || $0.state.isPending } }

  /// The attempts as a stream, from now on: each call is a separate subscription.
  public func ticks() -> AsyncStream<Attempt> { pacer.consumer().ticks { $0 } }
}
