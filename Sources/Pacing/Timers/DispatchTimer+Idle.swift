extension DispatchTimer {
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
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Tick) -> Void
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
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Tick) -> Void
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
    _ schedule: TickSchedule, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) {
    self.init(schedule, tolerance: tolerance, clock: clock, handler: nil)
  }

  /// Makes an idle timer from its period.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: When the first tick is due, counted from `start()`.
  ///   - count: How many ticks there are, nil for no end.
  ///   - missed: What is done about ticks that could not be handed out in time.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Precondition: `period` and `count` are positive.
  public convenience init(
    every period: Duration, first: FirstTick = .afterPeriod, count: Int? = nil,
    missed: MissedTicks = .skip, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Tick) -> Void
  ) {
    self.init(
      .every(period, first: first, count: count, missed: missed), tolerance: tolerance,
      on: delivery, clock: clock, handler: handler)
  }

  /// Makes an idle timer from its period, with a handler on the main actor.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: When the first tick is due, counted from `start()`.
  ///   - count: How many ticks there are, nil for no end.
  ///   - missed: What is done about ticks that could not be handed out in time.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Precondition: `period` and `count` are positive.
  public convenience init(
    every period: Duration, first: FirstTick = .afterPeriod, count: Int? = nil,
    missed: MissedTicks = .skip, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Tick) -> Void
  ) {
    self.init(
      .every(period, first: first, count: count, missed: missed), tolerance: tolerance,
      on: delivery, clock: clock, handler: handler)
  }
}
