/// A timer: one shot or repeating, on the library's one shared Dispatch source.
///
/// It needs no run loop and no thread of its own, keeps its grid without drift, and can be started,
/// suspended, resumed, cancelled and dropped in any state and from any thread. It stands in for
/// `Timer` (NSTimer), `DispatchSourceTimer`, `asyncAfter` and `CADisplayLink`.
///
/// ```swift
/// let timer = DispatchTimer(.every(.seconds(1))) { tick in print(tick.index) }    // idle
/// timer.start()
/// let running = DispatchTimer.scheduled(every: .seconds(1)) { tick in print(tick.index) }
/// ```
///
/// `DispatchTimer(…)` makes an idle timer, `DispatchTimer.scheduled(…)` a running one. The handler
/// takes the tick, the timer and the tick, or an owner and the tick; it may be async. The
/// ``TickSchedule`` specifies the deadlines.
///
/// ## Timing
/// Deadlines are `start + k * period`. A tick never comes before its deadline; it comes late when
/// the machine or the handler is late, and ``MissedTicks`` specifies what happens to ticks missed
/// in the meantime.
///
/// ## Concurrency
/// Thread-safe and re-entrant: any thread may call any method, and so may the handler. One handler
/// runs at a time, unless an async one has another ``Overlap``. After `cancel()` returns no handler
/// begins, and the closure is released; dropping the last reference cancels.
public final class DispatchTimer: DeliveringTool {
  /// The stages of a timer's life.
  public enum State: Hashable, Sendable {
    /// Made and not started.
    case idle
    /// Ticking.
    case running
    /// Stopped by `suspend()`.
    case suspended
    /// Over: its last tick has been decided, or it was cancelled.
    case finished
  }

  let pacer: Pacer<TickState>
  private var watch: WallClockWatch? { (pacer as? WallClockPacer)?.watch }

  init(
    _ schedule: TickSchedule, tolerance: Duration, clock: any PacingClock, handler: Handler<Tick>?
  ) {
    let state = TickState(schedule, hasHandler: handler != nil)
    let service = clock.service
    pacer =
      schedule.first.followsWallClock
      ? WallClockPacer(state, handler: handler, tolerance: tolerance, service: service)
      : Pacer(state, handler: handler, tolerance: tolerance, service: service)
  }

  deinit {
    if pacer.isOver { watch?.stop() } else { cancel() }
  }

  /// The timer's handler slot, for the library only.
  public var _handlerSlot: _HandlerSlot<Tick> { _HandlerSlot(pacer) { $0 } }

  // MARK: Life

  /// Starts an idle timer with the first tick of its schedule; resumes a suspended one, as
  /// `resume()` does.
  ///
  /// - Returns: Whether the timer started; false if it is running or finished, or if its clock has
  ///   no room for another deadline.
  @discardableResult
  public func start() -> Bool { begin { $0.start(at: $1) } }

  /// Starts an idle or suspended timer with another period.
  ///
  /// - Parameter period: The time from one tick to the next.
  /// - Returns: As `start()`.
  /// - Precondition: `period` is positive; `TickSchedule(validating:)` checks one known only at run
  ///   time.
  @discardableResult
  public func start(every period: Duration) -> Bool {
    let period = TickSchedule.every(period).period
    return begin { $0.start(every: period, at: $1) }
  }

  /// Stops ticking until `resume()` or `start()`; suspended time has no periods.
  ///
  /// - Parameter keepingRemaining: Whether the timer resumes with the rest of the period instead of
  ///   a full one. An `aligned` timer resumes at the next full period either way.
  /// - Returns: Whether the timer was running; otherwise it is a no-op.
  @discardableResult
  public func suspend(keepingRemaining: Bool = false) -> Bool {
    pacer.update { $0.suspend(keepingRemaining: keepingRemaining, at: $1) }
  }

  /// Resumes after `suspend()`, with one full period from now or with the rest of the period.
  ///
  /// A timer that has not ticked yet waits for its first tick as if it had just been started, or
  /// for the rest of that wait.
  ///
  /// - Returns: Whether the timer resumed; false if it was not suspended, or if its clock has no
  ///   room for another deadline.
  @discardableResult
  public func resume() -> Bool { begin { $0.resume(at: $1) } }

  /// Changes the period; a running timer's next tick comes one new period from now.
  ///
  /// - Parameter period: The time from one tick to the next.
  /// - Returns: Whether it did anything; it is a no-op on a finished timer.
  /// - Precondition: `period` is positive; `TickSchedule(validating:)` checks one known only at run
  ///   time.
  @discardableResult
  public func reschedule(every period: Duration) -> Bool {
    let period = TickSchedule.every(period).period
    return pacer.update { $0.reschedule(every: period, at: $1) }
  }

  /// Restarts the period, as a watchdog does when it is fed.
  ///
  /// It withdraws ticks that are due and not yet decided.
  ///
  /// - Returns: Whether the timer was running; otherwise it is a no-op.
  @discardableResult
  public func reset() -> Bool {
    pacer.overrule { $0.reset(at: $1) }
  }

  /// Restarts the grid, with the next tick at an instant of the timer's clock.
  ///
  /// It withdraws ticks that are due and not yet decided.
  ///
  /// - Returns: Whether the timer was running; otherwise it is a no-op.
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
    watch?.stop()
    return hadNext || withdrawn != nil
  }

  private func begin(_ start: (inout TickState, PacingInstant) -> Bool) -> Bool {
    guard pacer.service.hasRoom else { return false }
    guard let watch else { return pacer.update(start) }
    let hasBegun = pacer.update { [pacer] state, now in
      state.follow(pacer.service.wallOffset(known: state.wallOffset), at: now)
      return start(&state, now)
    }
    if hasBegun { watch.start() }
    return hasBegun
  }
}
