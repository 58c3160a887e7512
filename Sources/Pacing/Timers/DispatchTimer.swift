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
/// runs at a time. After `cancel()` returns no handler begins, and the closure is released;
/// dropping the last reference cancels.
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
  private let watch: WallClockWatch?

  init(
    _ schedule: TickSchedule, tolerance: Duration, clock: any PacingClock, handler: Handler<Tick>?
  ) {
    let pacer = Pacer(
      TickState(schedule, hasHandler: handler != nil), handler: handler, tolerance: tolerance,
      clock: clock)
    self.pacer = pacer
    watch =
      schedule.first.followsWallClock
      ? WallClockWatch(in: pacer.service) { [weak pacer] in pacer?.followWallClock() ?? false }
      : nil
  }

  deinit {
    cancel()
  }

  /// The place of the timer's handler.
  public var _handlerSlot: _HandlerSlot<Tick> { _HandlerSlot(pacer) { $0 } }

  // MARK: Life

  /// Starts an idle timer; a suspended one goes on, one full period from now.
  ///
  /// - Returns: Whether it did anything. A timer that runs or is over stays as it is.
  @discardableResult
  public func start() -> Bool { begin { $0.start(at: $1) } }

  /// Starts an idle or suspended timer with another period.
  ///
  /// - Parameter period: The time from one tick to the next.
  /// - Returns: Whether it did anything. A timer that runs or is over keeps its period.
  /// - Precondition: `period` is positive; what `TickSchedule(validating:)` takes is.
  @discardableResult
  public func start(every period: Duration) -> Bool {
    let period = TickSchedule.every(period).period
    return begin { $0.start(every: period, at: $1) }
  }

  /// Stops ticking until `resume()` or `start()`; suspended time has no periods.
  ///
  /// - Parameter keepingRemaining: Whether the timer goes on with what was left of the period, not
  ///   with a full one. One that is `aligned` goes on at the next full period either way.
  /// - Returns: Whether it did anything: whether the timer was running.
  @discardableResult
  public func suspend(keepingRemaining: Bool = false) -> Bool {
    pacer.update { $0.suspend(keepingRemaining: keepingRemaining, at: $1) }
  }

  /// Goes on after `suspend()`, one full period from now, or with what was left of it.
  ///
  /// A timer that has not ticked yet waits for its first tick again, as long as at its start.
  ///
  /// - Returns: Whether it did anything: whether the timer was suspended.
  @discardableResult
  public func resume() -> Bool { begin { $0.resume(at: $1) } }

  /// Takes another period; a running timer's next tick comes one such period from now.
  ///
  /// - Parameter period: The time from one tick to the next.
  /// - Returns: Whether it did anything: false where the timer is over.
  /// - Precondition: `period` is positive; what `TickSchedule(validating:)` takes is.
  @discardableResult
  public func reschedule(every period: Duration) -> Bool {
    let period = TickSchedule.every(period).period
    return pacer.update { $0.reschedule(every: period, at: $1) }
  }

  /// Waits a full period again, as for a watchdog that is fed.
  ///
  /// It wins over ticks that are due and were not decided yet: they do not come.
  ///
  /// - Returns: Whether it did anything: whether the timer was running.
  @discardableResult
  public func reset() -> Bool {
    pacer.overrule { [pacer] in $0.reset(at: pacer.service.now) }
  }

  /// Begins the grid anew, with the next tick at an instant of the timer's clock.
  ///
  /// It wins over ticks that are due and were not decided yet: they do not come.
  ///
  /// - Returns: Whether it did anything: whether the timer was running.
  @discardableResult
  public func reset(nextAt instant: PacingInstant) -> Bool {
    pacer.overrule { $0.reset(nextAt: instant) }
  }

  /// Ticks now, beside the grid: the next deadline stays as it is.
  ///
  /// The tick takes the next index, for indices follow each other without a gap. Where a tick has
  /// been decided and its handler has not begun, that is the one: however often it is asked, there
  /// is one tick more and not several. The tick of a one-shot timer is its only one.
  ///
  /// - Returns: Whether there will be a tick: false where the timer is over.
  @discardableResult
  public func fireNow() -> Bool { pacer.updateUnlessDecided { $0.fireNow(at: $1) } ?? true }

  /// Ends the timer: nothing that has not begun will run, and the handler's closure is released.
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
    return hadNext || !withdrawn.isEmpty
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

extension Pacer<TickState> {
  /// Moves the grid with the wall clock; false where the timer does not run.
  fileprivate func followWallClock() -> Bool {
    update { state, now in
      guard state.phase == .running else { return false }
      state.follow(service.wallOffset(known: state.wallOffset), at: now)
      return true
    }
  }
}
