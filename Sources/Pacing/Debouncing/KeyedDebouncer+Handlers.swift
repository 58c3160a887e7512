extension KeyedDebouncer {
  /// Makes a keyed debouncer whose handler runs on the library's threads or on your queue.
  ///
  /// - Parameters:
  ///   - wait: The quiet period of a key.
  ///   - edges: The ends of a burst that are delivered.
  ///   - maximumWait: How long a value waits at the most while others of its key keep coming; nil
  ///     for no limit.
  ///   - keep: Which of a key's values that come while one is pending is delivered.
  ///   - rule: How long a key must be quiet after a certain value, asked on the sender's thread;
  ///     nil for `wait`.
  ///   - limit: How many keys there are at the same time, and what happens when there is one more.
  ///   - tolerance: How much later a delivery may be, so that timers share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the keyed debouncer follows.
  ///   - handler: The closure that gets each value.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    limit: KeyLimit = .unlimited, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Key, Value) -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), keeping: keep,
      varying: rule, limit: limit, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { handler($0.key.get(), $0.value.get()) })
  }

  /// Makes a keyed debouncer whose handler runs on the main actor.
  ///
  /// The parameters are those of the overload for ``Delivery``.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    limit: KeyLimit = .unlimited, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Key, Value) -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), keeping: keep,
      varying: rule, limit: limit, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { handler($0.key.get(), $0.value.get()) })
  }

  /// Makes a keyed debouncer with an async handler.
  ///
  /// The parameters are those of the overload for ``Delivery``.
  @_disfavoredOverload
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    limit: KeyLimit = .unlimited, tolerance: Duration = .zero, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (Key, Value) async -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), keeping: keep,
      varying: rule, limit: limit, tolerance: tolerance, clock: clock,
      handler: Handler { await handler($0.key.get(), $0.value.get()) })
  }

  /// Makes a keyed debouncer with an async handler on the main actor.
  ///
  /// The parameters are those of the overload for ``Delivery``.
  @_disfavoredOverload
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    limit: KeyLimit = .unlimited, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Key, Value) async -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), keeping: keep,
      varying: rule, limit: limit, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { await handler($0.key.get(), $0.value.get()) })
  }

  /// Makes a keyed debouncer whose handler belongs to an actor, which it does not keep alive:
  /// inside an actor, `on: self`.
  ///
  /// The other parameters are those of the overload for ``Delivery``. `owner` is the actor; once it
  /// is gone, nothing is delivered.
  public convenience init<Owner: Actor>(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    limit: KeyLimit = .unlimited, tolerance: Duration = .zero, on owner: Owner,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, Key, Value) async -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), keeping: keep,
      varying: rule, limit: limit, tolerance: tolerance, clock: clock,
      handler: Handler(on: owner) { await handler($0, $1.key.get(), $1.value.get()) })
  }

  /// Makes a keyed debouncer without a handler: its values come out of `ticks()`.
  ///
  /// The parameters are those of the overload for ``Delivery``.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil,
    limit: KeyLimit = .unlimited, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), keeping: keep,
      varying: rule, limit: limit, tolerance: tolerance, clock: clock, handler: nil)
  }
}
