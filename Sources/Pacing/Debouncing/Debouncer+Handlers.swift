extension Debouncer {
  /// Makes a debouncer whose handler runs on the library's threads or on your queue.
  ///
  /// - Parameters:
  ///   - wait: The quiet period.
  ///   - edges: The ends of a burst that are delivered.
  ///   - maximumWait: The longest a value waits while others keep coming; nil for no limit.
  ///   - keep: Which of the values sent while one is pending is delivered.
  ///   - rule: A closure that returns the quiet period after a given value, or nil for `wait`;
  ///     called on the sender's thread.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The debouncer's clock.
  ///   - handler: The closure that receives each value.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Value) -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges),
      keeping: keep, varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { handler($0.get()) })
  }

  /// As `init(for:edges:maximumWait:keeping:varying:tolerance:on:clock:handler:)`, with a handler
  /// on the main actor.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Value) -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges),
      keeping: keep, varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery) { handler($0.get()) })
  }

  /// As `init(for:edges:maximumWait:keeping:varying:tolerance:on:clock:handler:)`, with an async
  /// handler; `overlap` specifies what happens when a value is due while the handler runs.
  @_disfavoredOverload
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Value) async -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges),
      keeping: keep, varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(overlap: overlap) { await handler($0.get()) })
  }

  /// As `init(for:edges:maximumWait:keeping:varying:tolerance:on:clock:handler:)`, with an async
  /// handler on the main actor.
  @_disfavoredOverload
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch, handler: @escaping @MainActor (Value) async -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges),
      keeping: keep, varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, overlap: overlap) { await handler($0.get()) })
  }

  /// As `init(for:edges:maximumWait:keeping:varying:tolerance:on:clock:handler:)`, with an async
  /// handler isolated to an actor, for example `self`.
  ///
  /// The debouncer does not keep the actor alive; once it is gone, nothing is delivered.
  public convenience init<Owner: Actor>(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest, on owner: Owner,
    clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, Value) async -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges),
      keeping: keep, varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(on: owner, overlap: overlap) { await handler($0, $1.get()) })
  }

  /// As `init(for:edges:maximumWait:keeping:varying:tolerance:on:clock:handler:)`, without a
  /// handler: its values come out of `ticks()`.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges),
      keeping: keep, varying: rule, tolerance: tolerance, clock: clock, handler: nil)
  }
}
