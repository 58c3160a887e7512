extension DispatchTimer {
  /// Makes an idle timer with an async handler.
  ///
  /// The handler runs one tick at a time; what falls due before it has returned is handled as
  /// `MissedTicks` says.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  public convenience init(
    _ schedule: TickSchedule, tolerance: Duration = .zero, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (Tick) async -> Void
  ) {
    self.init(schedule, tolerance: tolerance, clock: clock, handler: Handler(handler))
  }

  /// Makes an idle timer with an async handler on the main actor.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  public convenience init(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Tick) async -> Void
  ) {
    self.init(schedule, tolerance: tolerance, clock: clock, handler: Handler(on: delivery, handler))
  }

  /// Makes an idle timer whose handler belongs to an actor, which it does not keep alive and with
  /// which it ends: inside an actor, `on: self`.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - owner: The actor; the first tick that finds it gone ends the timer.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  public convenience init<Owner: Actor>(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on owner: Owner,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, Tick) async -> Void
  ) {
    self.init(schedule, tolerance: tolerance, clock: clock, handler: Handler(on: owner, handler))
  }

  /// Makes a timer with an async handler and starts it; dropping it cancels it.
  public static func scheduled(
    _ schedule: TickSchedule, tolerance: Duration = .zero, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (Tick) async -> Void
  ) -> DispatchTimer {
    DispatchTimer(schedule, tolerance: tolerance, clock: clock, handler: handler).started()
  }

  /// Makes a timer with an async handler on the main actor and starts it; dropping it cancels it.
  public static func scheduled(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Tick) async -> Void
  ) -> DispatchTimer {
    DispatchTimer(schedule, tolerance: tolerance, on: delivery, clock: clock, handler: handler)
      .started()
  }

  /// Makes a timer whose handler belongs to an actor, ends with it, and starts at once.
  public static func scheduled<Owner: Actor>(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on owner: Owner,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, Tick) async -> Void
  ) -> DispatchTimer {
    DispatchTimer(schedule, tolerance: tolerance, on: owner, clock: clock, handler: handler)
      .started()
  }
}
