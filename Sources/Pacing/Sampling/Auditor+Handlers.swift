extension Auditor {
  /// Makes an auditor whose handler runs on the library's threads or on your queue.
  ///
  /// - Parameters:
  ///   - window: How long after the first value the newest is delivered.
  ///   - rule: How long the window is that a certain value opens, asked on the sender's thread; nil
  ///     for `window`.
  ///   - tolerance: How much later a delivery may be, so that timers share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the auditor follows.
  ///   - handler: The closure that gets each value.
  public convenience init(
    for window: Duration, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Value) -> Void
  ) {
    self.init(
      AuditState(window: window), varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, erasing: handler))
  }

  /// Makes an auditor whose handler runs on the main actor.
  ///
  /// The parameters are those of the overload for ``Delivery``.
  public convenience init(
    for window: Duration, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Value) -> Void
  ) {
    self.init(
      AuditState(window: window), varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, erasing: handler))
  }

  /// Makes an auditor with an async handler.
  ///
  /// The other parameters are those of the overload for ``Delivery``. `overlap` specifies what
  /// happens when a value is due while the handler runs.
  @_disfavoredOverload
  public convenience init(
    for window: Duration, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Value) async -> Void
  ) {
    self.init(
      AuditState(window: window), varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(overlap: overlap, erasing: handler))
  }

  /// Makes an auditor with an async handler on the main actor.
  ///
  /// The other parameters are those of the overload for ``Delivery``. `overlap` specifies what
  /// happens when a value is due while the handler runs.
  @_disfavoredOverload
  public convenience init(
    for window: Duration, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Value) async -> Void
  ) {
    self.init(
      AuditState(window: window), varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, overlap: overlap, erasing: handler))
  }

  /// Makes an auditor whose handler belongs to an actor, which it does not keep alive: inside an
  /// actor, `on: self`.
  ///
  /// The other parameters are those of the overload for ``Delivery``. `overlap` specifies what
  /// happens when a value is due while the handler runs. `owner` is the actor; once it is gone,
  /// nothing is delivered.
  public convenience init<Owner: Actor>(
    for window: Duration, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest, on owner: Owner,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, Value) async -> Void
  ) {
    self.init(
      AuditState(window: window), varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(on: owner, overlap: overlap, erasing: handler))
  }

  /// Makes an auditor without a handler: its values come out of `ticks()`.
  ///
  /// The parameters are those of the overload for ``Delivery``.
  public convenience init(
    for window: Duration, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) {
    self.init(
      AuditState(window: window), varying: rule, tolerance: tolerance, clock: clock, handler: nil)
  }
}
