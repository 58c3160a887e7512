extension DispatchTimer {
  /// Makes a timer that ticks once, with an async handler, and starts it.
  ///
  /// Dropping it before that cancels it.
  ///
  /// - Parameters:
  ///   - delay: How long from now; zero or less is now.
  ///   - tolerance: How much later the tick may come, so that timers can share a wake.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done then.
  /// - Returns: The running timer.
  public static func scheduled(
    after delay: Duration, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable () async -> Void
  ) -> DispatchTimer {
    scheduled(.once(after: delay), tolerance: tolerance, clock: clock) { _ in
      await handler()
    }
  }

  /// Makes a timer that ticks once, with an async handler on the main actor, and starts it.
  ///
  /// Dropping it before that cancels it.
  ///
  /// - Parameters:
  ///   - delay: How long from now; zero or less is now.
  ///   - tolerance: How much later the tick may come, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done then.
  /// - Returns: The running timer.
  public static func scheduled(
    after delay: Duration, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor () async -> Void
  ) -> DispatchTimer {
    scheduled(.once(after: delay), tolerance: tolerance, on: delivery, clock: clock) { _ in
      await handler()
    }
  }

  /// Makes a timer that ticks once, for an actor, and starts it: `on: self`.
  ///
  /// Dropping it before that cancels it.
  ///
  /// - Parameters:
  ///   - delay: How long from now; zero or less is now.
  ///   - tolerance: How much later the tick may come, so that timers can share a wake.
  ///   - owner: The actor; where it has gone, nothing is done.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done then.
  /// - Returns: The running timer.
  public static func scheduled<Owner: Actor>(
    after delay: Duration, tolerance: Duration = .zero, on owner: Owner,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner) async -> Void
  ) -> DispatchTimer {
    scheduled(.once(after: delay), tolerance: tolerance, on: owner, clock: clock) { owner, _ in
      await handler(owner)
    }
  }

  /// Makes a repeating timer with an async handler and starts it; dropping it cancels it.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: When the first tick is due.
  ///   - count: How many ticks there are, nil for no end.
  ///   - missed: What is done about ticks that could not be handed out in time.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Returns: The running timer.
  /// - Precondition: `period` and `count` are positive.
  public static func scheduled(
    every period: Duration, first: FirstTick = .afterPeriod, count: Int? = nil,
    missed: MissedTicks = .skip, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (Tick) async -> Void
  ) -> DispatchTimer {
    DispatchTimer(
      every: period, first: first, count: count, missed: missed, tolerance: tolerance,
      clock: clock, handler: handler
    ).started()
  }

  /// Makes a repeating timer with an async handler on the main actor and starts it.
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
    clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Tick) async -> Void
  ) -> DispatchTimer {
    DispatchTimer(
      every: period, first: first, count: count, missed: missed, tolerance: tolerance,
      on: delivery, clock: clock, handler: handler
    ).started()
  }

  /// Makes a repeating timer whose handler belongs to an actor, and starts it: `on: self`.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: When the first tick is due.
  ///   - count: How many ticks there are, nil for no end.
  ///   - missed: What is done about ticks that could not be handed out in time.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - owner: The actor; the first tick that finds it gone ends the timer.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Returns: The running timer.
  /// - Precondition: `period` and `count` are positive.
  public static func scheduled<Owner: Actor>(
    every period: Duration, first: FirstTick = .afterPeriod, count: Int? = nil,
    missed: MissedTicks = .skip, tolerance: Duration = .zero, on owner: Owner,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, Tick) async -> Void
  ) -> DispatchTimer {
    DispatchTimer(
      every: period, first: first, count: count, missed: missed, tolerance: tolerance,
      on: owner, clock: clock, handler: handler
    ).started()
  }

  /// Makes an idle timer from its period, with an async handler.
  ///
  /// The handler runs one tick at a time; what falls due before it has returned is handled as
  /// `missed` says.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: When the first tick is due, counted from `start()`.
  ///   - count: How many ticks there are, nil for no end.
  ///   - missed: What is done about ticks that could not be handed out in time.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Precondition: `period` and `count` are positive.
  public convenience init(
    every period: Duration, first: FirstTick = .afterPeriod, count: Int? = nil,
    missed: MissedTicks = .skip, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (Tick) async -> Void
  ) {
    self.init(
      .every(period, first: first, count: count, missed: missed), tolerance: tolerance,
      clock: clock, handler: handler)
  }

  /// Makes an idle timer from its period, with an async handler on the main actor.
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
    clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Tick) async -> Void
  ) {
    self.init(
      .every(period, first: first, count: count, missed: missed), tolerance: tolerance,
      on: delivery, clock: clock, handler: handler)
  }

  /// Makes an idle timer from its period, whose handler belongs to an actor: `on: self`.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: When the first tick is due, counted from `start()`.
  ///   - count: How many ticks there are, nil for no end.
  ///   - missed: What is done about ticks that could not be handed out in time.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - owner: The actor; the first tick that finds it gone ends the timer.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Precondition: `period` and `count` are positive.
  public convenience init<Owner: Actor>(
    every period: Duration, first: FirstTick = .afterPeriod, count: Int? = nil,
    missed: MissedTicks = .skip, tolerance: Duration = .zero, on owner: Owner,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, Tick) async -> Void
  ) {
    self.init(
      .every(period, first: first, count: count, missed: missed), tolerance: tolerance,
      on: owner, clock: clock, handler: handler)
  }
}
