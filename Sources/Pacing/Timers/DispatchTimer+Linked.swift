extension DispatchTimer {
  /// Makes an idle timer whose handler also takes the timer, which it does not keep alive.
  ///
  /// ```swift
  /// let poll = DispatchTimer(.every(.seconds(2))) { timer, tick in
  ///   if isComplete() { timer.cancel() }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - schedule: The deadlines, and the policy for missed ones.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: The place where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: The closure called at each tick.
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

  /// Makes an idle timer that works for an owner, which it does not keep alive, and ends with it.
  ///
  /// ```swift
  /// let timer = DispatchTimer(.every(.seconds(5)), owner: feed) { feed, _ in feed.refresh() }
  /// ```
  ///
  /// The handler is given the owner. A tick that finds the owner gone is not delivered and cancels
  /// the timer; an owner that holds the only reference to its timer takes it along at once.
  ///
  /// - Parameters:
  ///   - schedule: The deadlines, and the policy for missed ones.
  ///   - owner: The object that the handler works for.
  ///   - tolerance: How much later a tick may come, so that timers can share a wake.
  ///   - delivery: The place where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: The closure called at each tick.
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
  public convenience init<Owner: AnyObject & Sendable>(
    _ schedule: TickSchedule, owner: Owner, tolerance: Duration = .zero,
    on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Owner, Tick) -> Void
  ) {
    let link = TimerLink()
    self.init(schedule, tolerance: tolerance, on: delivery, clock: clock) { [weak owner] tick in
      if let owner { handler(owner, tick) } else { link.timer?.cancel() }
    }
    link.timer = self
  }

  /// Makes a timer that works for an owner, ends with it, and starts at once.
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
  public static func scheduled<Owner: AnyObject & Sendable>(
    _ schedule: TickSchedule, owner: Owner, tolerance: Duration = .zero,
    on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Owner, Tick) -> Void
  ) -> DispatchTimer {
    DispatchTimer(
      schedule, owner: owner, tolerance: tolerance, on: delivery, clock: clock, handler: handler
    ).started()
  }
}

/// The timer as its own handler knows it: made before the timer, and not keeping it alive.
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
