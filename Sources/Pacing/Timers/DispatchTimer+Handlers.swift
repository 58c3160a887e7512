extension DispatchTimer {
  /// Makes an idle timer whose handler runs on the library's threads or on your queue.
  ///
  /// ```swift
  /// let timer = DispatchTimer(.every(.seconds(1))) { tick in print(tick.index) }
  /// timer.start()
  /// ```
  ///
  /// The other initialisers differ only in where the handler runs: on the main actor with
  /// `on: .main`, inside an actor with `on: self`, or in a task if it is async. An async handler
  /// handles one tick at a time unless it has another `overlap`; ticks due before it returns are
  /// treated as missed.
  ///
  /// - Parameters:
  ///   - schedule: The deadlines, and the policy for missed ones.
  ///   - tolerance: The maximum extra delay of a tick, so that timers can share a wake.
  ///   - delivery: The place where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: The closure called at each tick.
  public convenience init(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Tick) -> Void
  ) {
    self.init(schedule, tolerance: tolerance, clock: clock, handler: Handler(on: delivery, handler))
  }

  /// Makes an idle timer whose handler runs on the main actor.
  public convenience init(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Tick) -> Void
  ) {
    self.init(schedule, tolerance: tolerance, clock: clock, handler: Handler(on: delivery, handler))
  }

  /// Makes an idle timer with an async handler; `overlap` specifies what happens to a tick that is
  /// due while it runs.
  @_disfavoredOverload
  public convenience init(
    _ schedule: TickSchedule, tolerance: Duration = .zero, overlap: Overlap = .keepLatest,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Tick) async -> Void
  ) {
    self.init(
      schedule, tolerance: tolerance, clock: clock, handler: Handler(overlap: overlap, handler))
  }

  /// Makes an idle timer with an async handler on the main actor.
  @_disfavoredOverload
  public convenience init(
    _ schedule: TickSchedule, tolerance: Duration = .zero, overlap: Overlap = .keepLatest,
    on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Tick) async -> Void
  ) {
    self.init(
      schedule, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, overlap: overlap, handler))
  }

  /// Makes an idle timer whose handler is isolated to an actor, which it does not keep alive.
  ///
  /// Inside an actor, pass `on: self`. The first tick that finds the actor gone ends the timer.
  public convenience init<Owner: Actor>(
    _ schedule: TickSchedule, tolerance: Duration = .zero, overlap: Overlap = .keepLatest,
    on owner: Owner, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, Tick) async -> Void
  ) {
    self.init(
      schedule, tolerance: tolerance, clock: clock,
      handler: Handler(on: owner, overlap: overlap, handler))
  }

  /// Makes an idle timer without a handler, for its ``ticks()``.
  public convenience init(
    _ schedule: TickSchedule, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) {
    self.init(schedule, tolerance: tolerance, clock: clock, handler: nil)
  }
}
