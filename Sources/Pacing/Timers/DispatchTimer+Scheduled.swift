extension DispatchTimer {
  /// Makes a timer and starts it; dropping the timer cancels it.
  ///
  /// ```swift
  /// let countdown = DispatchTimer.scheduled(.every(.seconds(1), first: .now, count: 6)) { tick in
  ///   print(tick.remaining!)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - schedule: The deadlines, and the policy for missed ones.
  ///   - tolerance: The maximum extra delay of a tick, so that timers can share a wake.
  ///   - delivery: The place where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: The closure called at each tick.
  /// - Returns: The running timer.
  public static func scheduled(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Tick) -> Void
  ) -> DispatchTimer {
    DispatchTimer(schedule, tolerance: tolerance, on: delivery, clock: clock, handler: handler)
      .started()
  }

  /// Makes a timer with a handler on the main actor and starts it; dropping the timer cancels it.
  public static func scheduled(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Tick) -> Void
  ) -> DispatchTimer {
    DispatchTimer(schedule, tolerance: tolerance, on: delivery, clock: clock, handler: handler)
      .started()
  }

  /// Makes a timer with an async handler and starts it; dropping the timer cancels it.
  @_disfavoredOverload
  public static func scheduled(
    _ schedule: TickSchedule, tolerance: Duration = .zero, overlap: Overlap = .keepLatest,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Tick) async -> Void
  ) -> DispatchTimer {
    DispatchTimer(schedule, tolerance: tolerance, overlap: overlap, clock: clock, handler: handler)
      .started()
  }

  /// Makes a timer with an async handler on the main actor and starts it; dropping the timer
  /// cancels it.
  @_disfavoredOverload
  public static func scheduled(
    _ schedule: TickSchedule, tolerance: Duration = .zero, overlap: Overlap = .keepLatest,
    on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Tick) async -> Void
  ) -> DispatchTimer {
    DispatchTimer(
      schedule, tolerance: tolerance, overlap: overlap, on: delivery, clock: clock,
      handler: handler
    ).started()
  }

  /// Makes a timer whose handler is isolated to an actor, which it does not keep alive, and starts
  /// it.
  ///
  /// Inside an actor, pass `on: self`. The first tick that finds the actor gone ends the timer.
  public static func scheduled<Owner: Actor>(
    _ schedule: TickSchedule, tolerance: Duration = .zero, overlap: Overlap = .keepLatest,
    on owner: Owner, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, Tick) async -> Void
  ) -> DispatchTimer {
    DispatchTimer(
      schedule, tolerance: tolerance, overlap: overlap, on: owner, clock: clock, handler: handler
    ).started()
  }

  // MARK: Short forms

  /// Makes a timer that ticks once in each period and starts it; dropping the timer cancels it.
  ///
  /// ```swift
  /// let timer = DispatchTimer.scheduled(every: .seconds(1)) { tick in print(tick.index) }
  /// ```
  ///
  /// It is short for `scheduled(.every(period))`, which also takes async handlers and those of
  /// actors, and whose schedule also specifies more: the first tick, a count, a policy for missed
  /// ticks.
  ///
  /// - Precondition: `period` is positive.
  public static func scheduled(
    every period: Duration, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Tick) -> Void
  ) -> DispatchTimer {
    scheduled(.every(period), tolerance: tolerance, on: delivery, clock: clock, handler: handler)
  }

  /// Makes a timer that ticks once in each period, on the main actor, and starts it.
  public static func scheduled(
    every period: Duration, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Tick) -> Void
  ) -> DispatchTimer {
    scheduled(.every(period), tolerance: tolerance, on: delivery, clock: clock, handler: handler)
  }

  /// Makes a one-shot timer and starts it; dropping the timer cancels it.
  ///
  /// ```swift
  /// let hint = DispatchTimer.scheduled(after: .milliseconds(500)) { print("still loading") }
  /// ```
  ///
  /// It is short for `scheduled(.once(after: delay))`, which also takes async handlers and those of
  /// actors.
  public static func scheduled(
    after delay: Duration, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable () -> Void
  ) -> DispatchTimer {
    let handler = Handler<Tick>(on: delivery) { _ in handler() }
    return DispatchTimer(
      .once(after: delay), tolerance: tolerance, clock: clock, handler: handler
    ).started()
  }

  /// Makes a one-shot timer with a handler on the main actor and starts it.
  public static func scheduled(
    after delay: Duration, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor () -> Void
  ) -> DispatchTimer {
    let handler = Handler<Tick>(on: delivery) { _ in handler() }
    return DispatchTimer(
      .once(after: delay), tolerance: tolerance, clock: clock, handler: handler
    ).started()
  }

  func started() -> DispatchTimer {
    start()
    return self
  }
}
