extension DispatchTimer {
  /// Makes an idle timer whose handler also takes the timer, which it does not keep alive.
  ///
  /// ```swift
  /// let poll = DispatchTimer(.every(.seconds(2))) { timer, tick in
  ///   if isComplete() { timer.cancel() }
  /// }
  /// ```
  ///
  /// On the main actor, `timer.deliver(to: timer)` does the same.
  public convenience init(
    _ schedule: TickSchedule, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (DispatchTimer, Tick) -> Void
  ) {
    self.init(schedule, tolerance: tolerance, clock: clock)
    deliver(to: self, on: delivery, handler: handler)
  }

  /// Makes a timer that works for an owner, which it does not keep alive, and starts it.
  ///
  /// ```swift
  /// let timer = DispatchTimer.scheduled(.every(.seconds(5)), owner: feed) { feed, _ in
  ///   feed.refresh()
  /// }
  /// ```
  ///
  /// The handler is given the owner. A tick that finds the owner gone is not delivered and ends the
  /// timer; if the owner holds the only reference to the timer, both are released together. An idle
  /// timer takes its owner with `deliver(to:handler:)`.
  public static func scheduled<Owner: AnyObject & Sendable>(
    _ schedule: TickSchedule, owner: Owner, tolerance: Duration = .zero,
    on delivery: Delivery = .shared, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (Owner, Tick) -> Void
  ) -> DispatchTimer {
    let handler = Handler(on: delivery, for: owner, handler)
    return DispatchTimer(schedule, tolerance: tolerance, clock: clock, handler: handler).started()
  }

  /// Makes a timer that works for an owner on the main actor, ends with it, and starts at once.
  public static func scheduled<Owner: AnyObject & Sendable>(
    _ schedule: TickSchedule, owner: Owner, tolerance: Duration = .zero,
    on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Owner, Tick) -> Void
  ) -> DispatchTimer {
    let handler = Handler(on: delivery, for: owner, handler)
    return DispatchTimer(schedule, tolerance: tolerance, clock: clock, handler: handler).started()
  }
}
