extension DispatchTimer {
  /// Makes an idle timer whose handler takes the timer too, which it does not keep alive.
  ///
  /// ```swift
  /// let poll = DispatchTimer(.every(.seconds(2))) { timer, tick in
  ///   if isComplete() { timer.cancel() }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  public convenience init(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (DispatchTimer, Tick) -> Void
  ) {
    let link = TimerLink()
    self.init(schedule, tolerance: tolerance, on: delivery, clock: clock) { tick in
      if let timer = link.timer { handler(timer, tick) }
    }
    link.timer = self
  }

  /// Makes an idle timer whose handler takes the timer too, and runs on the main actor.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  public convenience init(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (DispatchTimer, Tick) -> Void
  ) {
    let link = TimerLink()
    self.init(schedule, tolerance: tolerance, on: delivery, clock: clock) { tick in
      if let timer = link.timer { handler(timer, tick) }
    }
    link.timer = self
  }

  /// Makes an idle timer that works for an owner, which it does not keep alive, and ends with it.
  ///
  /// ```swift
  /// let timer = DispatchTimer(.every(.seconds(5)), owner: feed) { feed, _ in feed.refresh() }
  /// ```
  ///
  /// The handler is given the owner. A tick that finds it gone is not handed out and cancels the
  /// timer; an owner that holds the only reference to its timer takes it along at once.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - owner: Whom the handler works for.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  public convenience init<Owner: AnyObject & Sendable>(
    _ schedule: TickSchedule, owner: Owner, tolerance: Duration = .zero,
    on delivery: Delivery = .shared, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (Owner, Tick) -> Void
  ) {
    self.init(schedule, tolerance: tolerance, on: delivery, clock: clock) {
      [weak owner] timer, tick in
      if let owner { handler(owner, tick) } else { timer.cancel() }
    }
  }

  /// Makes an idle timer that works for an owner on the main actor, and ends with it.
  ///
  /// - Parameters:
  ///   - schedule: When it ticks.
  ///   - owner: Whom the handler works for.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the timer follows.
  ///   - handler: What is done at each tick.
  public convenience init<Owner: AnyObject & Sendable>(
    _ schedule: TickSchedule, owner: Owner, tolerance: Duration = .zero,
    on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Owner, Tick) -> Void
  ) {
    self.init(schedule, tolerance: tolerance, on: delivery, clock: clock) {
      [weak owner] timer, tick in
      if let owner { handler(owner, tick) } else { timer.cancel() }
    }
  }
}

/// A timer, for its own handler, which is made before it and does not keep it alive.
private final class TimerLink: Sendable {
  private struct Content {
    weak var timer: DispatchTimer?
  }

  private let content = Locked(Content())

  var timer: DispatchTimer? {
    get { content.withLock { $0.timer } }
    set { content.withLock { $0.timer = newValue } }
  }
}
