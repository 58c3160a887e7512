extension DispatchTimer {
  /// Makes an idle timer from its period.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: When the first tick is due, counted from `start()`.
  ///   - missed: What is done about ticks that could not be handed out in time.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Precondition: `period` is positive.
  public convenience init(
    every period: Duration, first: FirstTick = .afterPeriod, missed: MissedTicks = .skip,
    tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: some PacingClock = .dispatch, handler: @escaping @Sendable (Tick) -> Void
  ) {
    self.init(
      TickSchedule(every: period, first: first, missed: missed), tolerance: tolerance,
      on: delivery, clock: clock, handler: handler)
  }

  /// Makes an idle timer from its period, with a handler on the main actor.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: When the first tick is due, counted from `start()`.
  ///   - missed: What is done about ticks that could not be handed out in time.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Precondition: `period` is positive.
  public convenience init(
    every period: Duration, first: FirstTick = .afterPeriod, missed: MissedTicks = .skip,
    tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: some PacingClock = .dispatch, handler: @escaping @MainActor (Tick) -> Void
  ) {
    self.init(
      TickSchedule(every: period, first: first, missed: missed), tolerance: tolerance,
      on: delivery, clock: clock, handler: handler)
  }

  /// Makes a repeating timer and starts it; dropping it cancels it.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: When the first tick is due.
  ///   - missed: What is done about ticks that could not be handed out in time.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  /// - Returns: The running timer.
  /// - Precondition: `period` is positive.
  public static func scheduled(
    every period: Duration, first: FirstTick = .afterPeriod, missed: MissedTicks = .skip,
    tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: some PacingClock = .dispatch, handler: @escaping @Sendable (Tick) -> Void
  ) -> DispatchTimer {
    let timer = DispatchTimer(
      every: period, first: first, missed: missed, tolerance: tolerance, on: delivery,
      clock: clock, handler: handler)
    timer.start()
    return timer
  }

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
    clock: some PacingClock = .dispatch, handler: @escaping @Sendable () -> Void
  ) -> DispatchTimer {
    let timer = DispatchTimer(
      .once(after: delay), tolerance: tolerance, on: delivery, clock: clock
    ) { _ in handler() }
    timer.start()
    return timer
  }

  /// Ticks as a stream, beginning now: the stream owns its timer, and ends it with the consumer.
  ///
  ///     for await tick in DispatchTimer.ticks(every: .milliseconds(100)) { print(tick.index) }
  ///
  /// A consumer that is slow finds the newest tick, whose `missed` counts those that it replaced.
  /// Cancelling the task or letting go of the stream releases the timer at once; leaving the
  /// loop does where nothing else holds the stream.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: When the first tick is due.
  ///   - missed: What is done about ticks that could not be handed out in time.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - clock: The clock that the timer follows.
  /// - Returns: The stream of ticks.
  /// - Precondition: `period` is positive.
  public static func ticks(
    every period: Duration, first: FirstTick = .afterPeriod, missed: MissedTicks = .skip,
    tolerance: Duration = .zero, clock: some PacingClock = .dispatch
  ) -> AsyncStream<Tick> {
    let timer = DispatchTimer(
      TickSchedule(every: period, first: first, missed: missed), tolerance: tolerance,
      clock: clock)
    return timer.startedTicks()
  }
}
