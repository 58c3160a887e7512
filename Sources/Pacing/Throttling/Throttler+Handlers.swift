extension Throttler {
  /// Makes a throttler whose handler runs on the library's threads or on your queue.
  ///
  /// - Parameters:
  ///   - interval: The length of a window.
  ///   - edges: The ends of a window that are delivered.
  ///   - keep: Which of the values inside a window is delivered at its end.
  ///   - rule: A closure that returns the length of the window that a given value opens, or nil for
  ///     `interval`; called on the sender's thread.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The throttler's clock.
  ///   - handler: The closure that receives each value.
  public convenience init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Value) -> Duration?)? = nil, tolerance: Duration = .zero,
    on delivery: Delivery = .shared, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (Value) -> Void
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), keeping: keep, varying: rule,
      tolerance: tolerance, clock: clock, handler: Handler(on: delivery) { handler($0.get()) })
  }

  /// As `init(every:edges:keeping:varying:tolerance:on:clock:handler:)`, with a handler on the main
  /// actor.
  public convenience init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Value) -> Duration?)? = nil, tolerance: Duration = .zero,
    on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Value) -> Void
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), keeping: keep, varying: rule,
      tolerance: tolerance, clock: clock, handler: Handler(on: delivery) { handler($0.get()) })
  }

  /// As `init(every:edges:keeping:varying:tolerance:on:clock:handler:)`, with an async handler;
  /// `overlap` specifies what happens when a value is due while the handler runs.
  @_disfavoredOverload
  public convenience init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Value) -> Duration?)? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (Value) async -> Void
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), keeping: keep, varying: rule,
      tolerance: tolerance, clock: clock,
      handler: Handler(overlap: overlap) { await handler($0.get()) })
  }

  /// As `init(every:edges:keeping:varying:tolerance:on:clock:handler:)`, with an async handler on
  /// the main actor.
  @_disfavoredOverload
  public convenience init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Value) -> Duration?)? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Value) async -> Void
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), keeping: keep, varying: rule,
      tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, overlap: overlap) { await handler($0.get()) })
  }

  /// As `init(every:edges:keeping:varying:tolerance:on:clock:handler:)`, with an async handler
  /// isolated to an actor, for example `self`.
  ///
  /// The throttler does not keep the actor alive; once it is gone, nothing is delivered.
  public convenience init<Owner: Actor>(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Value) -> Duration?)? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, on owner: Owner, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, Value) async -> Void
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), keeping: keep, varying: rule,
      tolerance: tolerance, clock: clock,
      handler: Handler(on: owner, overlap: overlap) { await handler($0, $1.get()) })
  }

  /// As `init(every:edges:keeping:varying:tolerance:on:clock:handler:)`, without a handler: its
  /// values come out of `ticks()`.
  public convenience init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Value) -> Duration?)? = nil, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), keeping: keep, varying: rule,
      tolerance: tolerance, clock: clock, handler: nil)
  }
}
