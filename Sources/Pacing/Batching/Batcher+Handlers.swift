extension Batcher {
  /// Makes a batcher whose handler runs on the library's threads or on your queue.
  ///
  /// - Parameters:
  ///   - limit: When a batch closes.
  ///   - weigh: What an element weighs, asked once on the sender's thread; negative counts as
  ///     nothing.
  ///   - tolerance: How much later a delivery may be, so that timers share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the batcher follows.
  ///   - handler: The closure that gets each batch.
  public convenience init(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 },
    tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable ([Element]) -> Void
  ) {
    self.init(
      limit, weigh: weigh, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { handler(Self.elements(of: $0)) })
  }

  /// Makes a batcher whose handler runs on the main actor.
  ///
  /// The parameters are those of the overload for ``Delivery``.
  public convenience init(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 },
    tolerance: Duration = .zero, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor ([Element]) -> Void
  ) {
    self.init(
      limit, weigh: weigh, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { handler(Self.elements(of: $0)) })
  }

  /// Makes a batcher with an async handler.
  ///
  /// The other parameters are those of the overload for ``Delivery``. `overlap` specifies what
  /// happens when a value is due while the handler runs.
  @_disfavoredOverload
  public convenience init(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 },
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable ([Element]) async -> Void
  ) {
    self.init(
      limit, weigh: weigh, tolerance: tolerance, clock: clock,
      handler: Handler(overlap: overlap) { await handler(Self.elements(of: $0)) })
  }

  /// Makes a batcher with an async handler on the main actor.
  ///
  /// The other parameters are those of the overload for ``Delivery``. `overlap` specifies what
  /// happens when a value is due while the handler runs.
  @_disfavoredOverload
  public convenience init(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 },
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor ([Element]) async -> Void
  ) {
    self.init(
      limit, weigh: weigh, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, overlap: overlap) { await handler(Self.elements(of: $0)) })
  }

  /// Makes a batcher whose handler belongs to an actor, which it does not keep alive: inside an
  /// actor, `on: self`.
  ///
  /// The other parameters are those of the overload for ``Delivery``. `overlap` specifies what
  /// happens when a value is due while the handler runs. `owner` is the actor; once it is gone,
  /// nothing is delivered.
  public convenience init<Owner: Actor>(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 },
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest, on owner: Owner,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, [Element]) async -> Void
  ) {
    self.init(
      limit, weigh: weigh, tolerance: tolerance, clock: clock,
      handler: Handler(on: owner, overlap: overlap) { await handler($0, Self.elements(of: $1)) })
  }

  /// Makes a batcher without a handler: its batches come out of `ticks()`.
  ///
  /// The parameters are those of the overload for ``Delivery``.
  public convenience init(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 },
    tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) {
    self.init(
      limit, weigh: weigh, tolerance: tolerance, clock: clock, handler: nil)
  }
}
