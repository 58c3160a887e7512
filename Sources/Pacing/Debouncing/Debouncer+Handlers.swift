extension Debouncer {
  /// Makes a debouncer whose handler runs on the library's threads or on your queue.
  ///
  /// - Parameters:
  ///   - wait: The quiet period.
  ///   - edges: The ends of a burst that are delivered.
  ///   - maximumWait: The longest a value waits while others keep coming; nil for no limit.
  ///   - keep: Which of the values that come while one is pending is delivered.
  ///   - rule: How long it must be quiet after a given value; nil for `wait`. Called on the
  ///     sender's thread.
  ///   - tolerance: How much later a delivery may be, so that timers share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the debouncer follows.
  ///   - handler: The closure that gets each value.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch, handler: @escaping @Sendable (Value) -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges),
      keeping: keep, varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, erasing: handler))
  }

  /// Makes a debouncer whose handler runs on the main actor.
  ///
  /// The parameters are those of the overload for ``Delivery``.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Value) -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges),
      keeping: keep, varying: rule, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, erasing: handler))
  }

  /// Makes a debouncer with an async handler.
  ///
  /// The other parameters are those of the overload for ``Delivery``. `overlap` specifies what
  /// happens when a value is due while the handler runs.
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
      handler: Handler(overlap: overlap, erasing: handler))
  }

  /// Makes a debouncer with an async handler on the main actor.
  ///
  /// The other parameters are those of the overload for ``Delivery``. `overlap` specifies what
  /// happens when a value is due while the handler runs.
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
      handler: Handler(on: delivery, overlap: overlap, erasing: handler))
  }

  /// Makes a debouncer whose handler belongs to an actor, which it does not keep alive: inside an
  /// actor, `on: self`.
  ///
  /// The other parameters are those of the overload for ``Delivery``. `overlap` specifies what
  /// happens when a value is due while the handler runs. `owner` is the actor; once it is gone,
  /// nothing is delivered.
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
      handler: Handler(on: owner, overlap: overlap, erasing: handler))
  }

  /// Makes a debouncer without a handler: its values come out of `ticks()`.
  ///
  /// The parameters are those of the overload for ``Delivery``.
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
