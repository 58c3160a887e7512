extension DispatchTimer {
  /// The ticks as a stream, from now on: each call is a subscription of its own.
  ///
  /// A consumer that is slow finds the newest tick, whose `missed` counts those that it replaced.
  /// The stream ends with the timer, which it does not keep alive. Cancelling the task or letting
  /// go of the stream ends the subscription at once; leaving the loop does where nothing else holds
  /// the stream.
  public func ticks() -> AsyncStream<Tick> { pacer.ticks() }

  /// Ends the timer, and waits until a handler that is running has ended.
  ///
  /// Called from inside the handler it would wait for itself.
  ///
  /// - Returns: Whether a tick was withdrawn: one to come, or one whose handler had not begun.
  @discardableResult
  public func cancelAndWait() async -> Bool {
    let hadTick = cancel()
    await pacer.waitForHandler()
    return hadTick
  }

  /// Ticks as a stream, beginning now: the stream owns its timer, and ends it with the consumer.
  ///
  /// ```swift
  /// for await tick in DispatchTimer.ticks(every: .milliseconds(100)) { print(tick.index) }
  /// ```
  ///
  /// A consumer that is slow finds the newest tick, whose `missed` counts those that it replaced.
  /// Cancelling the task or letting go of the stream releases the timer at once; leaving the
  /// loop does where nothing else holds the stream.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: When the first tick is due.
  ///   - count: How many ticks there are, nil for no end.
  ///   - missed: What is done about ticks that could not be handed out in time.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - clock: The clock that the timer follows.
  /// - Returns: The stream of ticks.
  /// - Precondition: `period` and `count` are positive.
  public static func ticks(
    every period: Duration, first: FirstTick = .afterPeriod, count: Int? = nil,
    missed: MissedTicks = .skip, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) -> AsyncStream<Tick> {
    ticks(
      .every(period, first: first, count: count, missed: missed), tolerance: tolerance,
      clock: clock)
  }

  /// The ticks of a schedule as a stream, beginning now: the stream owns its timer.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - clock: The clock that the timer follows.
  /// - Returns: The stream of ticks, as that of `ticks(every:)`.
  public static func ticks(
    _ schedule: TickSchedule, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) -> AsyncStream<Tick> {
    let timer = DispatchTimer(schedule, tolerance: tolerance, clock: clock)
    let ticks = timer.pacer.ticks(keeping: timer)
    timer.start()
    return ticks
  }
}
