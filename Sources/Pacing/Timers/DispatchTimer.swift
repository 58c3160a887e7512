/// A timer: one shot or repeating, on the library's one shared Dispatch source.
///
/// It needs no run loop and no thread of its own, keeps its grid without drift, and can be started,
/// suspended, resumed, cancelled and dropped in any state and from any thread.
///
///     let timer = DispatchTimer(every: .seconds(1)) { tick in print(tick.index) }    // idle
///     timer.start()
///     let running = DispatchTimer.scheduled(every: .seconds(1)) { tick in print(tick.index) }
///
/// ## Timing
/// Deadlines are `start + k * period`. A tick never comes before its deadline; it comes late when the
/// machine or the handler is, and `MissedTicks` says what then happens to those that were missed.
///
/// ## Concurrency
/// All methods may be called from any thread, and from inside the handler. One handler runs at a
/// time. After `cancel()` has returned no handler begins, and the closure is released; dropping the
/// last reference cancels.
public final class DispatchTimer: Sendable {
  /// Where a timer stands in its life.
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

  private let pacer: Pacer<TickState>

  private init(
    _ schedule: TickSchedule, tolerance: Duration, clock: some PacingClock, handler: Handler<Tick>?
  ) {
    pacer = Pacer(TickState(schedule), handler: handler, tolerance: tolerance, clock: clock)
  }

  /// Makes an idle timer whose handler runs on the library's own threads, or on a queue of yours.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  public convenience init(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: some PacingClock = .dispatch, handler: @escaping @Sendable (Tick) -> Void
  ) {
    self.init(
      schedule, tolerance: tolerance, clock: clock, handler: Handler(on: delivery, handler))
  }

  /// Makes an idle timer whose handler runs on the main actor.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  public convenience init(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: some PacingClock = .dispatch, handler: @escaping @MainActor (Tick) -> Void
  ) {
    self.init(
      schedule, tolerance: tolerance, clock: clock, handler: Handler(on: delivery, handler))
  }

  /// Makes an idle timer without a handler: its ticks come out of `ticks()`.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - clock: The clock that the timer follows.
  public convenience init(
    _ schedule: TickSchedule, tolerance: Duration = .zero, clock: some PacingClock = .dispatch
  ) {
    self.init(schedule, tolerance: tolerance, clock: clock, handler: nil)
  }

  deinit {
    cancel()
  }

  /// Starts an idle timer; a suspended one goes on, one full period from now.
  ///
  /// - Returns: Whether it did anything. A timer that runs or is over stays as it is.
  @discardableResult
  public func start() -> Bool { pacer.update { $0.start(at: $1) } }

  /// Stops ticking until `resume()` or `start()`; suspended time has no periods.
  ///
  /// - Returns: Whether it did anything: whether the timer was running.
  @discardableResult
  public func suspend() -> Bool { pacer.update { state, _ in state.suspend() } }

  /// Goes on after `suspend()`, one full period from now.
  ///
  /// - Returns: Whether it did anything: whether the timer was suspended.
  @discardableResult
  public func resume() -> Bool { pacer.update { $0.resume(at: $1) } }

  /// Takes another period; a running timer's next tick comes one such period from now.
  ///
  /// - Returns: Whether it did anything: false where the timer is over.
  /// - Precondition: `period` is positive.
  @discardableResult
  public func reschedule(every period: Duration) -> Bool {
    let period = TickSchedule(every: period).period
    return pacer.update { $0.reschedule(every: period, at: $1) }
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
  /// The tick takes the next index, for indices follow each other without a gap. Asked again before
  /// that tick is handed out, it does nothing more. The tick of a one-shot timer is its only one.
  ///
  /// - Returns: Whether there will be a tick: false where the timer is over.
  @discardableResult
  public func fireNow() -> Bool { pacer.update { $0.fireNow(at: $1) } }

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
    return hadNext || !withdrawn.isEmpty
  }

  /// Where the timer stands in its life.
  public var state: State { pacer.read(\.phase) }

  /// Whether the timer can still tick; false inside the handler of its last tick.
  public var isValid: Bool { state != .finished }

  /// The deadline of the next tick, nil unless the timer runs.
  public var nextDeadline: PacingInstant? {
    let deadline = pacer.read(\.nextOnGrid)
    return deadline == .distantFuture ? nil : deadline
  }

  /// The ticks as a stream, from now on: each call is a subscription of its own.
  ///
  /// A consumer that is slow finds the newest tick, whose `missed` counts those that it replaced. The
  /// stream ends with the timer, which it does not keep alive.
  /// Cancelling the task or letting go of the stream ends the subscription at once; leaving the
  /// loop does where nothing else holds the stream.
  public func ticks() -> AsyncStream<Tick> { pacer.ticks() }

  /// The ticks of a timer that nobody but the stream holds.
  func startedTicks() -> AsyncStream<Tick> {
    let ticks = pacer.ticks(keeping: self)
    start()
    return ticks
  }
}
