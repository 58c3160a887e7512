extension KeyedDebouncer {
  /// Makes a keyed debouncer whose handler runs on the library's threads or on your queue.
  ///
  /// - Parameters:
  ///   - wait: The quiet period of a key.
  ///   - edges: The ends of a burst that are delivered.
  ///   - maximumWait: The longest a value waits while others of its key keep coming; nil for no
  ///     limit.
  ///   - keep: Which of a key's values sent while one is pending is delivered.
  ///   - rule: A closure that returns the quiet period of a key after a given value, or nil for
  ///     `wait`; called on the sender's thread.
  ///   - keyLimit: The maximum number of keys in use, and what happens when there is one more.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The debouncer's clock.
  ///   - handler: The closure that receives each value.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    keyLimit: KeyLimit = .unlimited, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Key, Value) -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), keeping: keep,
      varying: rule, keyLimit: keyLimit, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { handler($0.key.get(), $0.value.get()) })
  }

  /// As `init(for:edges:maximumWait:keeping:varying:keyLimit:tolerance:on:clock:handler:)`, with a
  /// handler on the main actor.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    keyLimit: KeyLimit = .unlimited, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Key, Value) -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), keeping: keep,
      varying: rule, keyLimit: keyLimit, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { handler($0.key.get(), $0.value.get()) })
  }

  /// As `init(for:edges:maximumWait:keeping:varying:keyLimit:tolerance:on:clock:handler:)`, with an
  /// async handler.
  @_disfavoredOverload
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    keyLimit: KeyLimit = .unlimited, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (Key, Value) async -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), keeping: keep,
      varying: rule, keyLimit: keyLimit, tolerance: tolerance, clock: clock,
      handler: Handler { await handler($0.key.get(), $0.value.get()) })
  }

  /// As `init(for:edges:maximumWait:keeping:varying:keyLimit:tolerance:on:clock:handler:)`, with an
  /// async handler on the main actor.
  @_disfavoredOverload
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    keyLimit: KeyLimit = .unlimited, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Key, Value) async -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), keeping: keep,
      varying: rule, keyLimit: keyLimit, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { await handler($0.key.get(), $0.value.get()) })
  }

  /// As `init(for:edges:maximumWait:keeping:varying:keyLimit:tolerance:on:clock:handler:)`, with an
  /// async handler isolated to an actor, for example `self`.
  ///
  /// The debouncer does not keep the actor alive; once it is gone, nothing is delivered.
  public convenience init<Owner: Actor>(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    keyLimit: KeyLimit = .unlimited, tolerance: Duration = .zero, on owner: Owner,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, Key, Value) async -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), keeping: keep,
      varying: rule, keyLimit: keyLimit, tolerance: tolerance, clock: clock,
      handler: Handler(on: owner) { await handler($0, $1.key.get(), $1.value.get()) })
  }

  /// As `init(for:edges:maximumWait:keeping:varying:keyLimit:tolerance:on:clock:handler:)`, without
  /// a handler: its values come out of `ticks()`.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    keyLimit: KeyLimit = .unlimited, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), keeping: keep,
      varying: rule, keyLimit: keyLimit, tolerance: tolerance, clock: clock, handler: nil)
  }
}
