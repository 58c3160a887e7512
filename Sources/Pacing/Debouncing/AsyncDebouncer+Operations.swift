extension AsyncDebouncer {
  /// Makes an async debouncer.
  ///
  /// - Parameters:
  ///   - wait: The quiet period.
  ///   - edges: Which end of a burst is run.
  ///   - maximumWait: How long a call waits at the most while others keep coming; nil for no limit.
  ///   - rule: How long it must be quiet after a certain call, asked on the caller's thread; nil
  ///     for `wait`.
  ///   - tolerance: How much later a run may be, so that timers can share a wake.
  ///   - overlap: What happens when a call falls due while the operation runs.
  ///   - clock: The clock that the debouncer follows.
  ///   - operation: What is run; it should heed the cancellation of its task.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    varying rule: (@Sendable (Input) -> Duration?)? = nil,
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest,
    clock: any PacingClock = .dispatch,
    operation: @escaping @Sendable (Input) async throws -> Output
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), varying: rule,
      tolerance: tolerance, clock: clock,
      handler: Handler(overlap: overlap, operation: operation))
  }

  /// Makes an async debouncer whose operation runs on the main actor.
  ///
  /// The parameters are those of the first overload.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    varying rule: (@Sendable (Input) -> Duration?)? = nil,
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch,
    operation: @escaping @MainActor (Input) async throws -> Output
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), varying: rule,
      tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, overlap: overlap, operation: operation))
  }

  /// Makes an async debouncer whose operation belongs to an actor, which it does not keep alive.
  ///
  /// The other parameters are those of the first overload. `owner` is the actor; once it is gone,
  /// callers get `cancelled`.
  public convenience init<Owner: Actor>(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    varying rule: (@Sendable (Input) -> Duration?)? = nil,
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest, on owner: Owner,
    clock: any PacingClock = .dispatch,
    operation: @escaping @Sendable (isolated Owner, Input) async throws -> Output
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), varying: rule,
      tolerance: tolerance, clock: clock,
      handler: Handler(on: owner, overlap: overlap, operation: operation))
  }
}
