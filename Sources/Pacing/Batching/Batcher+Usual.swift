extension Batcher {
  /// Makes a batcher with limits on the number of elements and the delay.
  ///
  /// - Parameters:
  ///   - maximumCount: The maximum number of elements in a batch.
  ///   - maximumDelay: The time from the first element of a batch to its close.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The batcher's clock.
  ///   - handler: The closure that receives each batch.
  /// - Precondition: `maximumCount` is positive; `BatchLimit(validating:)` checks values known only
  ///   at run time.
  public convenience init(
    maximumCount: Int, maximumDelay: Duration, tolerance: Duration = .zero,
    on delivery: Delivery = .shared, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable ([Element]) -> Void
  ) {
    self.init(
      BatchLimit(maximumCount: maximumCount, maximumDelay: maximumDelay), tolerance: tolerance,
      on: delivery, clock: clock, handler: handler)
  }

  /// As `init(maximumCount:maximumDelay:tolerance:on:clock:handler:)`, with a handler on the main
  /// actor.
  public convenience init(
    maximumCount: Int, maximumDelay: Duration, tolerance: Duration = .zero,
    on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor ([Element]) -> Void
  ) {
    self.init(
      BatchLimit(maximumCount: maximumCount, maximumDelay: maximumDelay), tolerance: tolerance,
      on: delivery, clock: clock, handler: handler)
  }

  /// As `init(maximumCount:maximumDelay:tolerance:on:clock:handler:)`, with an async handler;
  /// `overlap` specifies what happens when a batch is due while the handler runs.
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

  /// As `init(maximumCount:maximumDelay:tolerance:on:clock:handler:)`, with an async handler on the
  /// main actor.
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

  /// As `init(maximumCount:maximumDelay:tolerance:on:clock:handler:)`, with an async handler
  /// isolated to an actor, for example `self`.
  ///
  /// The batcher does not keep the actor alive; once it is gone, nothing is delivered.
  public convenience init<Owner: Actor>(
    maximumCount: Int, maximumDelay: Duration, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, on owner: Owner, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, [Element]) async -> Void
  ) {
    self.init(
      BatchLimit(maximumCount: maximumCount, maximumDelay: maximumDelay), tolerance: tolerance,
      overlap: overlap, on: owner, clock: clock, handler: handler)
  }

  /// As `init(maximumCount:maximumDelay:tolerance:on:clock:handler:)`, without a handler: its
  /// batches come out of `ticks()`.
  public convenience init(
    maximumCount: Int, maximumDelay: Duration, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch
  ) {
    self.init(
      BatchLimit(maximumCount: maximumCount, maximumDelay: maximumDelay), tolerance: tolerance,
      clock: clock)
  }
}
