extension Debouncer {
  /// Makes a debouncer whose handler runs on the library's own threads, or on a queue of yours.
  ///
  /// - Parameters:
  ///   - wait: How long it must be quiet.
  ///   - edges: Which end of a burst is delivered.
  ///   - maximumWait: How long a value waits at the most while others keep coming; nil for no
  ///     limit.
  ///   - keep: Which of the values that come while one is pending is delivered.
  ///   - rule: How long it must be quiet after a certain value, asked on the sender's thread; nil
  ///     for `wait`.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the debouncer follows.
  ///   - handler: What is done with a value.
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
  /// - Parameters:
  ///   - wait: How long it must be quiet.
  ///   - edges: Which end of a burst is delivered.
  ///   - maximumWait: How long a value waits at the most while others keep coming; nil for no
  ///     limit.
  ///   - keep: Which of the values that come while one is pending is delivered.
  ///   - rule: How long it must be quiet after a certain value, asked on the sender's thread; nil
  ///     for `wait`.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the debouncer follows.
  ///   - handler: What is done with a value.
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
  /// - Parameters:
  ///   - wait: How long it must be quiet.
  ///   - edges: Which end of a burst is delivered.
  ///   - maximumWait: How long a value waits at the most while others keep coming; nil for no
  ///     limit.
  ///   - keep: Which of the values that come while one is pending is delivered.
  ///   - rule: How long it must be quiet after a certain value, asked on the sender's thread; nil
  ///     for `wait`.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - overlap: What happens when something falls due while the handler runs.
  ///   - clock: The clock that the debouncer follows.
  ///   - handler: What is done with a value.
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
  /// - Parameters:
  ///   - wait: How long it must be quiet.
  ///   - edges: Which end of a burst is delivered.
  ///   - maximumWait: How long a value waits at the most while others keep coming; nil for no
  ///     limit.
  ///   - keep: Which of the values that come while one is pending is delivered.
  ///   - rule: How long it must be quiet after a certain value, asked on the sender's thread; nil
  ///     for `wait`.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - overlap: What happens when something falls due while the handler runs.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the debouncer follows.
  ///   - handler: What is done with a value.
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
  /// - Parameters:
  ///   - wait: How long it must be quiet.
  ///   - edges: Which end of a burst is delivered.
  ///   - maximumWait: How long a value waits at the most while others keep coming; nil for no
  ///     limit.
  ///   - keep: Which of the values that come while one is pending is delivered.
  ///   - rule: How long it must be quiet after a certain value, asked on the sender's thread; nil
  ///     for `wait`.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - overlap: What happens when something falls due while the handler runs.
  ///   - owner: The actor; when it has gone, nothing is delivered any more.
  ///   - clock: The clock that the debouncer follows.
  ///   - handler: What is done with a value.
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
  /// - Parameters:
  ///   - wait: How long it must be quiet.
  ///   - edges: Which end of a burst is delivered.
  ///   - maximumWait: How long a value waits at the most while others keep coming; nil for no
  ///     limit.
  ///   - keep: Which of the values that come while one is pending is delivered.
  ///   - rule: How long it must be quiet after a certain value, asked on the sender's thread; nil
  ///     for `wait`.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - clock: The clock that the debouncer follows.
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
