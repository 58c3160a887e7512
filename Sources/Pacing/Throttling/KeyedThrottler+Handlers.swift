extension KeyedThrottler {
  /// Makes a keyed throttler whose handler runs on the library's threads or on your queue.
  ///
  /// - Parameters:
  ///   - interval: The length of a key's window.
  ///   - edges: The ends of a window that are delivered.
  ///   - keep: Which of a key's values inside a window is delivered at its end.
  ///   - rule: A closure that returns the length of the window that a given value opens, or nil for
  ///     `interval`; called on the sender's thread.
  ///   - keyLimit: The maximum number of keys in use, and what happens when there is one more.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The throttler's clock.
  ///   - handler: The closure that receives each value.
  public convenience init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    keyLimit: KeyLimit = .unlimited, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Key, Value) -> Void
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), keeping: keep, varying: rule,
      keyLimit: keyLimit, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { handler($0.key.get(), $0.value.get()) })
  }

  /// As `init(every:edges:keeping:varying:keyLimit:tolerance:on:clock:handler:)`, with a handler on
  /// the main actor.
  public convenience init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    keyLimit: KeyLimit = .unlimited, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Key, Value) -> Void
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), keeping: keep, varying: rule,
      keyLimit: keyLimit, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { handler($0.key.get(), $0.value.get()) })
  }

  /// As `init(every:edges:keeping:varying:keyLimit:tolerance:on:clock:handler:)`, with an async
  /// handler.
  @_disfavoredOverload
  public convenience init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    keyLimit: KeyLimit = .unlimited, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (Key, Value) async -> Void
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), keeping: keep, varying: rule,
      keyLimit: keyLimit, tolerance: tolerance, clock: clock,
      handler: Handler { await handler($0.key.get(), $0.value.get()) })
  }

  /// As `init(every:edges:keeping:varying:keyLimit:tolerance:on:clock:handler:)`, with an async
  /// handler on the main actor.
  @_disfavoredOverload
  public convenience init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    keyLimit: KeyLimit = .unlimited, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Key, Value) async -> Void
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), keeping: keep, varying: rule,
      keyLimit: keyLimit, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { await handler($0.key.get(), $0.value.get()) })
  }

  /// As `init(every:edges:keeping:varying:keyLimit:tolerance:on:clock:handler:)`, with an async
  /// handler isolated to an actor, for example `self`.
  ///
  /// The throttler does not keep the actor alive; once it is gone, nothing is delivered.
  public convenience init<Owner: Actor>(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    keyLimit: KeyLimit = .unlimited, tolerance: Duration = .zero, on owner: Owner,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, Key, Value) async -> Void
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), keeping: keep, varying: rule,
      keyLimit: keyLimit, tolerance: tolerance, clock: clock,
      handler: Handler(on: owner) { await handler($0, $1.key.get(), $1.value.get()) })
  }

  /// As `init(every:edges:keeping:varying:keyLimit:tolerance:on:clock:handler:)`, without a
  /// handler: its values come out of `ticks()`.
  public convenience init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    keyLimit: KeyLimit = .unlimited, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), keeping: keep, varying: rule,
      keyLimit: keyLimit, tolerance: tolerance, clock: clock,
      handler: nil)
  }
}
