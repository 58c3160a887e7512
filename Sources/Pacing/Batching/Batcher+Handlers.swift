extension Batcher {
  /// Makes a batcher whose handler runs on the library's threads or on your queue.
  ///
  /// - Parameters:
  ///   - limit: When a batch closes.
  ///   - weigh: A closure that returns the weight of an element; called once per element, on the
  ///     sender's thread. A negative weight counts as zero.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The batcher's clock.
  ///   - handler: The closure that receives each batch.
  public convenience init(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 },
    tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable ([Element]) -> Void
  ) {
    self.init(
      limit, weigh: weigh, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { handler(Self.elements(of: $0)) })
  }

  /// As `init(_:weigh:tolerance:on:clock:handler:)`, with a handler on the main actor.
  public convenience init(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 },
    tolerance: Duration = .zero, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor ([Element]) -> Void
  ) {
    self.init(
      limit, weigh: weigh, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { handler(Self.elements(of: $0)) })
  }

  /// As `init(_:weigh:tolerance:on:clock:handler:)`, with an async handler; `overlap` specifies
  /// what happens when a batch is due while the handler runs.
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

  /// As `init(_:weigh:tolerance:on:clock:handler:)`, with an async handler on the main actor.
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

  /// As `init(_:weigh:tolerance:on:clock:handler:)`, with an async handler isolated to an actor,
  /// for example `self`.
  ///
  /// The batcher does not keep the actor alive; once it is gone, nothing is delivered.
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

  /// As `init(_:weigh:tolerance:on:clock:handler:)`, without a handler: its batches come out of
  /// `ticks()`.
  public convenience init(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 },
    tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) {
    self.init(
      limit, weigh: weigh, tolerance: tolerance, clock: clock, handler: nil)
  }
}
