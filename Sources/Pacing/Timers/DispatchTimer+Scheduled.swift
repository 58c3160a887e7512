extension DispatchTimer {
  /// Makes a timer that ticks once and starts it; dropping it before cancels it.
  ///
  /// - Parameters:
  ///   - delay: How long from now; zero or less is now.
  ///   - tolerance: How much later the tick may come, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done then.
  /// - Returns: The running timer.
  public static func scheduled(
    after delay: Duration, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable () -> Void
  ) -> DispatchTimer {
    scheduled(.once(after: delay), tolerance: tolerance, on: delivery, clock: clock) { _ in
      handler()
    }
  }

  /// Makes a timer that ticks once, on the main actor, and starts it; dropping it before cancels
  /// it.
  ///
  /// - Parameters:
  ///   - delay: How long from now; zero or less is now.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done then.
  /// - Returns: The running timer.
  public static func scheduled(
    after delay: Duration, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor () -> Void
  ) -> DispatchTimer {
    scheduled(.once(after: delay), tolerance: tolerance, on: delivery, clock: clock) { _ in
      handler()
    }
  }

  /// Makes a repeating timer and starts it; dropping it cancels it.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: When the first tick is due.
  ///   - count: How many ticks there are, nil for no end.
  ///   - missed: What is done about ticks that could not be handed out in time.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Returns: The running timer.
  /// - Precondition: `period` and `count` are positive.
  public static func scheduled(
    every period: Duration, first: FirstTick = .afterPeriod, count: Int? = nil,
    missed: MissedTicks = .skip, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Tick) -> Void
  ) -> DispatchTimer {
    DispatchTimer(
      every: period, first: first, count: count, missed: missed, tolerance: tolerance,
      on: delivery, clock: clock, handler: handler
    ).started()
  }

  /// Makes a repeating timer with a handler on the main actor and starts it; dropping it cancels
  /// it.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: When the first tick is due.
  ///   - count: How many ticks there are, nil for no end.
  ///   - missed: What is done about ticks that could not be handed out in time.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Returns: The running timer.
  /// - Precondition: `period` and `count` are positive.
  public static func scheduled(
    every period: Duration, first: FirstTick = .afterPeriod, count: Int? = nil,
    missed: MissedTicks = .skip, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Tick) -> Void
  ) -> DispatchTimer {
    DispatchTimer(
      every: period, first: first, count: count, missed: missed, tolerance: tolerance,
      on: delivery, clock: clock, handler: handler
    ).started()
  }

  // MARK: From a schedule: each as the initialiser of the same parameters, started

  /// Makes a timer and starts it; dropping it cancels it.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Returns: The running timer.
  public static func scheduled(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Tick) -> Void
  ) -> DispatchTimer {
    DispatchTimer(schedule, tolerance: tolerance, on: delivery, clock: clock, handler: handler)
      .started()
  }

  /// Makes a timer with a handler on the main actor and starts it; dropping it cancels it.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Returns: The running timer.
  public static func scheduled(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Tick) -> Void
  ) -> DispatchTimer {
    DispatchTimer(schedule, tolerance: tolerance, on: delivery, clock: clock, handler: handler)
      .started()
  }

  /// Makes a timer whose handler takes the timer too, and starts it; dropping it cancels it.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Returns: The running timer.
  public static func scheduled(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (DispatchTimer, Tick) -> Void
  ) -> DispatchTimer {
    DispatchTimer(schedule, tolerance: tolerance, on: delivery, clock: clock, handler: handler)
      .started()
  }

  /// Makes a timer whose handler takes the timer too, on the main actor, and starts it.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Returns: The running timer.
  public static func scheduled(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (DispatchTimer, Tick) -> Void
  ) -> DispatchTimer {
    DispatchTimer(schedule, tolerance: tolerance, on: delivery, clock: clock, handler: handler)
      .started()
  }

  /// Makes a timer that works for an owner, ends with it, and starts at once.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - owner: Whom the handler works for.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Returns: The running timer.
  public static func scheduled<Owner: AnyObject & Sendable>(
    _ schedule: TickSchedule, owner: Owner, tolerance: Duration = .zero,
    on delivery: Delivery = .shared, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (Owner, Tick) -> Void
  ) -> DispatchTimer {
    DispatchTimer(
      schedule, owner: owner, tolerance: tolerance, on: delivery, clock: clock, handler: handler
    ).started()
  }

  /// Makes a timer that works for an owner on the main actor, ends with it, and starts at once.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - owner: Whom the handler works for.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Returns: The running timer.
  public static func scheduled<Owner: AnyObject & Sendable>(
    _ schedule: TickSchedule, owner: Owner, tolerance: Duration = .zero,
    on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Owner, Tick) -> Void
  ) -> DispatchTimer {
    DispatchTimer(
      schedule, owner: owner, tolerance: tolerance, on: delivery, clock: clock, handler: handler
    ).started()
  }

  func started() -> DispatchTimer {
    start()
    return self
  }
}
