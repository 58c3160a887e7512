extension DispatchTimer {
  /// Returns the ticks from now on as a stream; each call is a separate subscription.
  ///
  /// A slow consumer receives the newest tick, whose `missed` counts those that it replaced. The
  /// stream ends with the timer, which it does not keep alive. Cancelling the task or releasing the
  /// stream ends the subscription at once; so does leaving the loop, if nothing else holds the
  /// stream.
  public func ticks() -> AsyncStream<Tick> { pacer.ticks() }

  /// Ends the timer, and waits until a handler that is running has returned.
  ///
  /// - Returns: Whether a tick was withdrawn: one to come, or one whose handler had not begun.
  /// - Precondition: It is not called by the timer's own handler, which it would wait for.
  @discardableResult
  public func cancelAndWait() async -> Bool {
    let hadTick = cancel()
    await pacer.waitForHandler()
    return hadTick
  }

  /// Returns a stream of ticks that begins now, owns its timer, and ends it with the consumer.
  ///
  /// ```swift
  /// for await tick in DispatchTimer.ticks(every: .milliseconds(100)) { print(tick.index) }
  /// ```
  ///
  /// It is short for `ticks(.every(period))`.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - tolerance: The maximum extra delay of a tick, so that timers can share a wake.
  ///   - clock: The clock that the timer follows.
  /// - Returns: The stream of ticks.
  /// - Precondition: `period` is positive.
  public static func ticks(
    every period: Duration, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) -> AsyncStream<Tick> {
    ticks(.every(period), tolerance: tolerance, clock: clock)
  }

  /// Returns the ticks of a schedule as a stream that begins now and owns its timer.
  ///
  /// A slow consumer receives the newest tick, whose `missed` counts those that it replaced.
  /// Cancelling the task or releasing the stream releases the timer at once; so does leaving the
  /// loop, if nothing else holds the stream.
  public static func ticks(
    _ schedule: TickSchedule, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) -> AsyncStream<Tick> {
    let timer = DispatchTimer(schedule, tolerance: tolerance, clock: clock)
    let ticks = timer.pacer.ticks(keeping: timer)
    timer.start()
    return ticks
  }
}
