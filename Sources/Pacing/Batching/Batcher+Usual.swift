extension Batcher {
  /// Makes a batcher by number and time, the usual one.
  ///
  /// - Parameters:
  ///   - maximumCount: How many elements a batch has at most.
  ///   - maximumDelay: How long after its first element a batch closes.
  ///   - tolerance: How much later a delivery may be, so that timers share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the batcher follows.
  ///   - handler: The closure that gets each batch.
  /// - Precondition: `maximumCount` is positive; what `BatchLimit(validating:)` takes is.
  public convenience init(
    maximumCount: Int, maximumDelay: Duration, tolerance: Duration = .zero,
    on delivery: Delivery = .shared, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable ([Element]) -> Void
  ) {
    self.init(
      BatchLimit(maximumCount: maximumCount, maximumDelay: maximumDelay), tolerance: tolerance,
      on: delivery, clock: clock, handler: handler)
  }

  /// Makes a batcher by number and time whose handler runs on the main actor.
  ///
  /// The parameters are those of the overload for ``Delivery``.
  public convenience init(
    maximumCount: Int, maximumDelay: Duration, tolerance: Duration = .zero,
    on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor ([Element]) -> Void
  ) {
    self.init(
      BatchLimit(maximumCount: maximumCount, maximumDelay: maximumDelay), tolerance: tolerance,
      on: delivery, clock: clock, handler: handler)
  }

  /// Makes a batcher by number and time with an async handler.
  ///
  /// The other parameters are those of the overload for ``Delivery``. `overlap` specifies what
  /// happens when a value is due while the handler runs.
  @_disfavoredOverload
  public convenience init(
    maximumCount: Int, maximumDelay: Duration, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable ([Element]) async -> Void
  ) {
    self.init(
      BatchLimit(maximumCount: maximumCount, maximumDelay: maximumDelay), tolerance: tolerance,
      overlap: overlap, clock: clock, handler: handler)
  }

  /// Makes a batcher by number and time with an async handler on the main actor.
  ///
  /// The other parameters are those of the overload for ``Delivery``. `overlap` specifies what
  /// happens when a value is due while the handler runs.
  @_disfavoredOverload
  public convenience init(
    maximumCount: Int, maximumDelay: Duration, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor ([Element]) async -> Void
  ) {
    self.init(
      BatchLimit(maximumCount: maximumCount, maximumDelay: maximumDelay), tolerance: tolerance,
      overlap: overlap, on: delivery, clock: clock, handler: handler)
  }

  /// Makes a batcher by number and time whose handler belongs to an actor: `on: self`.
  ///
  /// The other parameters are those of the overload for ``Delivery``. `overlap` specifies what
  /// happens when a value is due while the handler runs. `owner` is the actor; once it is gone,
  /// nothing is delivered.
  public convenience init<Owner: Actor>(
    maximumCount: Int, maximumDelay: Duration, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, on owner: Owner, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, [Element]) async -> Void
  ) {
    self.init(
      BatchLimit(maximumCount: maximumCount, maximumDelay: maximumDelay), tolerance: tolerance,
      overlap: overlap, on: owner, clock: clock, handler: handler)
  }

  /// Makes a batcher by number and time without a handler: its batches come out of `ticks()`.
  ///
  /// The parameters are those of the overload for ``Delivery``.
  public convenience init(
    maximumCount: Int, maximumDelay: Duration, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch
  ) {
    self.init(
      BatchLimit(maximumCount: maximumCount, maximumDelay: maximumDelay), tolerance: tolerance,
      clock: clock)
  }
}
