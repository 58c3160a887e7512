/// A timer: one shot or repeating, on the library's one shared Dispatch source.
///
/// It needs no run loop and no thread of its own, keeps its grid without drift, and can be started,
/// suspended, resumed, cancelled and dropped in any state and from any thread. It replaces `Timer`
/// (NSTimer), `DispatchSourceTimer`, `asyncAfter` and `CADisplayLink`.
///
/// ```swift
/// let timer = DispatchTimer(.every(.seconds(1))) { tick in print(tick.index) }    // idle
/// timer.start()
/// let running = DispatchTimer.scheduled(every: .seconds(1)) { tick in print(tick.index) }
/// ```
///
/// A ``TickSchedule`` specifies the deadlines. A handler that needs the timer takes it as its
/// owner: `timer.handle(with: timer) { timer, tick in … }`.
///
/// ## Timing
/// Deadlines are `start + k * period`. A tick never comes before its deadline; it comes late when
/// the machine or the handler is late, and ``MissedTicks`` specifies what happens to ticks missed
/// in the meantime.
///
/// ## Concurrency
/// Thread-safe. The handler may call any method except `cancelAndWait()`. One handler runs at a
/// time, unless an async one has another ``Overlap``. After `cancel()` returns no handler begins,
/// and the closure is released; dropping the last reference cancels.
public final class DispatchTimer: DeliveringTool {
  /// The stages of a timer's life.
  public enum State: Hashable, Sendable {
    /// Created and not started.
    case idle
    /// Ticking.
    case running
    /// Stopped by `suspend()`.
    case suspended
    /// Over: its last tick has been decided, or it was cancelled.
    case finished
  }

  let pacer: TickPacer

  /// Creates an idle timer; `handle` attaches a handler to it.
  ///
  /// - Parameters:
  ///   - schedule: The deadlines, and the policy for missed ones.
  ///   - tolerance: The maximum extra delay of a tick, so that timers can share a wake.
  ///   - clock: The clock that the timer follows.
  public init(
    _ schedule: TickSchedule, tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch
  ) {
    pacer = TickPacer(schedule, tolerance: tolerance, service: clock.service)
  }

  /// Creates an idle timer with a handler that runs on the library's threads.
  @inlinable
  public convenience init(
    _ schedule: TickSchedule, tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch,
    handler: @escaping @Sendable (Tick) -> Void
  ) {
    self.init(schedule, tolerance: tolerance, clock: clock)
    attach(Handler { handler($0) })
  }

  /// Creates a timer with a handler and starts it; dropping the timer cancels it.
  ///
  /// ```swift
  /// let countdown = DispatchTimer.scheduled(.every(.seconds(1), first: .now, count: 6)) { tick in
  ///   print(tick.remaining!)
  /// }
  /// ```
  @inlinable
  public static func scheduled(
    _ schedule: TickSchedule, tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch,
    handler: @escaping @Sendable (Tick) -> Void
  ) -> DispatchTimer {
    let timer = DispatchTimer(schedule, tolerance: tolerance, clock: clock, handler: handler)
    timer.start()
    return timer
  }

  /// Creates a timer that ticks once in each period and starts it; dropping the timer cancels it.
  ///
  /// - Precondition: `period` is positive.
  @inlinable
  public static func scheduled(
    every period: Duration, tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch,
    handler: @escaping @Sendable (Tick) -> Void
  ) -> DispatchTimer {
    scheduled(.every(period), tolerance: tolerance, clock: clock, handler: handler)
  }

  /// Creates a one-shot timer and starts it; dropping the timer cancels it.
  ///
  /// ```swift
  /// let reminder = DispatchTimer.scheduled(after: .seconds(5)) { remind() }
  /// ```
  @inlinable
  public static func scheduled(
    after delay: Duration, tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch,
    handler: @escaping @Sendable () -> Void
  ) -> DispatchTimer {
    scheduled(.once(after: delay), tolerance: tolerance, clock: clock) { _ in handler() }
  }

  /// The ticks of a period as a stream that begins now and owns its timer.
  ///
  /// ```swift
  /// for await tick in DispatchTimer.ticks(every: .milliseconds(100)) { print(tick.index) }
  /// ```
  ///
  /// - Precondition: `period` is positive.
  public static func ticks(
    every period: Duration, tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch
  ) -> AsyncStream<Tick> {
    ticks(.every(period), tolerance: tolerance, clock: clock)
  }

  /// The ticks of a schedule as a stream that begins now and owns its timer.
  ///
  /// A slow consumer receives the newest tick, whose `missed` counts those that it replaced.
  /// Cancelling the task or releasing the stream releases the timer at once; so does leaving the
  /// loop, if nothing else holds the stream.
  public static func ticks(
    _ schedule: TickSchedule, tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch
  ) -> AsyncStream<Tick> {
    let timer = DispatchTimer(schedule, tolerance: tolerance, clock: clock)
    let ticks = timer.pacer.ticks(keeping: timer)
    timer.start()
    return ticks
  }

  deinit {
    if pacer.read({ $0.isOver && $0.isPlain }) { pacer.watch?.stop() } else { cancel() }
  }

  /// Attaches a handler that a form of `handle` has made.
  public func attach(_ handler: consuming Handler<Tick>) { pacer.attach(handler) }

  /// The ticks from now on as a stream, as of every ``DeliveringTool``; `missed` counts those that
  /// a newer one replaced.
  public func ticks() -> AsyncStream<Tick> { pacer.ticks() }

  /// Sets a closure that is called with each tick that is not delivered, and the reason.
  ///
  /// What a busy handler passes over counts as missed instead.
  public func onDrop(_ observer: @escaping @Sendable (Tick, DropReason) -> Void) {
    pacer.observeDrops(observer)
  }

  // MARK: Life

  /// Starts an idle timer with the first tick of its schedule; resumes a suspended one, as
  /// `resume()` does.
  ///
  /// - Returns: Whether the timer started; false if it is running or finished.
  @discardableResult
  public func start() -> Bool { begin { $0.start(at: $1) } }

  /// Stops ticking until `resume()` or `start()`; suspended time has no periods.
  ///
  /// - Parameter keepingRemaining: Whether the timer resumes with the rest of the period instead of
  ///   a full one. An `aligned` timer resumes at the next full period either way.
  /// - Returns: Whether the timer was running; otherwise it is a no-op.
  @discardableResult
  public func suspend(keepingRemaining: Bool = false) -> Bool {
    pacer.update { $0.suspend(keepingRemaining: keepingRemaining, at: $1) }
  }

  /// Resumes after `suspend()`, with one full period from now or with the rest of the period;
  /// before its first tick, with the wait for that or its rest.
  ///
  /// - Returns: Whether the timer resumed; false if it was not suspended.
  @discardableResult
  public func resume() -> Bool { begin { $0.resume(at: $1) } }

  /// Changes the period; a running timer's next tick comes one new period from now, that of an
  /// `aligned` one at its next full period.
  ///
  /// - Returns: Whether the period changed; false if the timer is finished.
  /// - Precondition: `period` is positive.
  @discardableResult
  public func reschedule(every period: Duration) -> Bool {
    let period = TickSchedule.every(period).period
    return pacer.update { $0.reschedule(every: period, at: $1) }
  }

  /// Restarts the period, as a watchdog does when it is fed; withdraws ticks that are due and not
  /// yet decided.
  ///
  /// - Returns: Whether the timer was running; otherwise it is a no-op.
  @discardableResult
  public func reset() -> Bool { pacer.overrule { $0.reset(at: $1) } }

  /// Restarts the grid, with the next tick at an instant of the timer's clock; otherwise as
  /// `reset()`.
  @discardableResult
  public func reset(nextAt instant: PacingInstant) -> Bool {
    pacer.overrule { state, _ in state.reset(nextAt: instant) }
  }

  /// Ticks now, in addition to the grid, and leaves the next deadline as it is.
  ///
  /// The tick takes the next index. Calls merge: while a decided tick's handler has not begun, that
  /// tick serves them all. The tick of a one-shot timer is its only one.
  ///
  /// - Returns: Whether there is a tick, which the handler's overlap may drop; false if the timer
  ///   is finished.
  @discardableResult
  public func fireNow() -> Bool { pacer.updateUnlessDecided { $0.fireNow(at: $1) } ?? true }

  /// Ends the timer: no handler begins after it, and the handler's closure is released.
  ///
  /// - Returns: Whether a tick was withdrawn: one to come, or one whose handler had not begun.
  @discardableResult
  public func cancel() -> Bool {
    var hadNext = false
    let withdrawn = pacer.withdraw { state in
      hadNext = state.deadline != .distantFuture
      return state.cancel()
    }
    pacer.watch?.stop()
    return hadNext || withdrawn != nil
  }

  /// Ends the timer as `cancel()` does, and waits until a handler that is running has returned.
  ///
  /// - Precondition: It is not called by the timer's own handler, which it would wait for.
  @discardableResult
  public func cancelAndWait() async -> Bool {
    let hadTick = cancel()
    await pacer.waitForHandler()
    return hadTick
  }

  private func begin(_ start: (inout TickState, PacingInstant) -> Bool) -> Bool {
    guard let watch = pacer.watch else { return pacer.update(start) }
    let hasBegun = pacer.update { [pacer] state, now in
      state.follow(pacer.service.wallOffset(known: state.wallOffset), at: now)
      return start(&state, now)
    }
    if hasBegun { watch.start() }
    return hasBegun
  }

  // MARK: Queries

  /// The stage of the timer's life.
  public var state: State { pacer.read { $0.state.phase } }

  /// Whether the timer can still tick; false inside the handler of its last tick.
  public var isValid: Bool { state != .finished }

  /// Whether the timer was stopped by `suspend()` and can be resumed.
  public var isSuspended: Bool { state == .suspended }

  /// The deadline of the next tick, nil unless the timer runs.
  public var nextDeadline: PacingInstant? { pacer.read { $0.state.nextOnGrid }.finite }

  /// The number of ticks still to come; nil if there is no end.
  public var remainingCount: Int? { pacer.read { $0.state.remaining } }
}

final class TickPacer: Pacer<TickState>, @unchecked Sendable {
  /// Follows the wall clock, for the few timers whose schedule does.
  private(set) var watch: WallClockWatch?

  init(_ schedule: TickSchedule, tolerance: Duration, service: TimerService) {
    super.init(TickState(schedule, hasHandler: false), tolerance: tolerance, service: service)
    guard schedule.first.followsWallClock else { return }
    watch = WallClockWatch(in: service) { [weak self] in self?.followWallClock() ?? false }
  }

  override func wake(_ handle: TimerService.Handle) { super.wake(handle) }
  override func deliver() { super.deliver() }
  override func start(_ run: HandlerRun) -> Started? { super.start(run) }

  /// As those of a `Subscription`, with nothing to transform: closures that capture one object need
  /// none of their own, so a tick that is ready touches that and the mailbox.
  func ticks(keeping owner: DispatchTimer? = nil) -> AsyncStream<Tick> {
    let consumer = consumer(keeping: owner)
    return AsyncStream(
      unfolding: { await consumer.source.next() },
      onCancel: { consumer.end() })
  }

  /// Moves the grid with the wall clock; false if the timer does not run.
  private func followWallClock() -> Bool {
    update { state, now in
      guard state.phase == .running else { return false }
      state.follow(service.wallOffset(known: state.wallOffset), at: now)
      return true
    }
  }
}
