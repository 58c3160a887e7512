extension Batcher {
  /// Makes a batcher whose handler runs on the library's own threads, or on a queue of yours.
  ///
  /// - Parameters:
  ///   - limit: When a batch closes.
  ///   - weigh: What an element weighs, asked once on the sender's thread; negative counts as
  ///     nothing.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the batcher follows.
  ///   - handler: What is done with a batch.
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
  /// - Parameters:
  ///   - limit: When a batch closes.
  ///   - weigh: What an element weighs, asked once on the sender's thread; negative counts as
  ///     nothing.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the batcher follows.
  ///   - handler: What is done with a batch.
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
  /// - Parameters:
  ///   - limit: When a batch closes.
  ///   - weigh: What an element weighs, asked once on the sender's thread; negative counts as
  ///     nothing.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - overlap: What happens when something falls due while the handler runs.
  ///   - clock: The clock that the batcher follows.
  ///   - handler: What is done with a batch.
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
  /// - Parameters:
  ///   - limit: When a batch closes.
  ///   - weigh: What an element weighs, asked once on the sender's thread; negative counts as
  ///     nothing.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - overlap: What happens when something falls due while the handler runs.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the batcher follows.
  ///   - handler: What is done with a batch.
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
  /// - Parameters:
  ///   - limit: When a batch closes.
  ///   - weigh: What an element weighs, asked once on the sender's thread; negative counts as
  ///     nothing.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - overlap: What happens when something falls due while the handler runs.
  ///   - owner: The actor; when it has gone, nothing is delivered any more.
  ///   - clock: The clock that the batcher follows.
  ///   - handler: What is done with a batch.
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
  /// - Parameters:
  ///   - limit: When a batch closes.
  ///   - weigh: What an element weighs, asked once on the sender's thread; negative counts as
  ///     nothing.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - clock: The clock that the batcher follows.
  public convenience init(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 },
    tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) {
    self.init(
      limit, weigh: weigh, tolerance: tolerance, clock: clock, handler: nil)
  }
}
