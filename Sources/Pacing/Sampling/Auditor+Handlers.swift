extension Auditor {
  /// Makes an auditor whose handler runs on the library's threads or on your queue.
  ///
  /// - Parameters:
  ///   - window: The time from the first value to the delivery of the newest.
  ///   - rule: A closure that returns the length of the window that a given value opens, or nil for
  ///     `window`; called on the sender's thread.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The auditor's clock.
  ///   - handler: The closure that receives each value.
  public convenience init(
    for window: Duration, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Value) -> Void
  ) {
    self.init(
      AuditState(window: window), varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { handler($0.get()) })
  }

  /// As `init(for:varying:tolerance:on:clock:handler:)`, with a handler on the main actor.
  public convenience init(
    for window: Duration, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Value) -> Void
  ) {
    self.init(
      AuditState(window: window), varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { handler($0.get()) })
  }

  /// As `init(for:varying:tolerance:on:clock:handler:)`, with an async handler; `overlap` specifies
  /// what happens when a value is due while the handler runs.
  @_disfavoredOverload
  public convenience init(
    for window: Duration, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Value) async -> Void
  ) {
    self.init(
      AuditState(window: window), varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(overlap: overlap) { await handler($0.get()) })
  }

  /// As `init(for:varying:tolerance:on:clock:handler:)`, with an async handler on the main actor.
  @_disfavoredOverload
  public convenience init(
    for window: Duration, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Value) async -> Void
  ) {
    self.init(
      AuditState(window: window), varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, overlap: overlap) { await handler($0.get()) })
  }

  /// As `init(for:varying:tolerance:on:clock:handler:)`, with an async handler isolated to an
  /// actor, for example `self`.
  ///
  /// The auditor does not keep the actor alive; once it is gone, nothing is delivered.
  public convenience init<Owner: Actor>(
    for window: Duration, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest, on owner: Owner,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, Value) async -> Void
  ) {
    self.init(
      AuditState(window: window), varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(on: owner, overlap: overlap) { await handler($0, $1.get()) })
  }

  /// As `init(for:varying:tolerance:on:clock:handler:)`, without a handler: its values come out of
  /// `ticks()`.
  public convenience init(
    for window: Duration, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) {
    self.init(
      AuditState(window: window), varying: rule, tolerance: tolerance, clock: clock, handler: nil)
  }
}
