extension AsyncDebouncer {
  /// Makes an async debouncer.
  ///
  /// - Parameters:
  ///   - wait: The quiet period.
  ///   - edges: The ends of a burst that run.
  ///   - maximumWait: The longest a call waits while others keep coming; nil for no limit.
  ///   - rule: A closure that returns the quiet period after a given call, or nil for `wait`;
  ///     called on the caller's thread.
  ///   - tolerance: The maximum extra delay of a run, so that timers can share a wake.
  ///   - overlap: What happens when a call is due while the operation runs.
  ///   - answering: Which callers get what a run returns.
  ///   - clock: The debouncer's clock.
  ///   - operation: The operation; it should respond to the cancellation of its task.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    varying rule: (@Sendable (Input) -> Duration?)? = nil,
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest, answering: Answering = .newest,
    clock: any PacingClock = .dispatch,
    operation: @escaping @Sendable (Input) async throws -> Output
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), varying: rule,
      tolerance: tolerance, answering: answering, clock: clock,
      operation: Handler(overlap: overlap, operation: operation))
  }

  /// As `init(for:edges:maximumWait:varying:tolerance:overlap:answering:clock:operation:)`, with an
  /// operation on the main actor.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    varying rule: (@Sendable (Input) -> Duration?)? = nil,
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest, answering: Answering = .newest,
    on delivery: MainDelivery,
    clock: any PacingClock = .dispatch,
    operation: @escaping @MainActor (Input) async throws -> Output
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), varying: rule,
      tolerance: tolerance, answering: answering, clock: clock,
      operation: Handler(on: delivery, overlap: overlap, operation: operation))
  }

  /// As `init(for:edges:maximumWait:varying:tolerance:overlap:answering:clock:operation:)`, with an
  /// operation isolated to an actor.
  ///
  /// The debouncer does not keep the actor alive; once it is gone, callers get `cancelled`.
  public convenience init<Owner: Actor>(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    varying rule: (@Sendable (Input) -> Duration?)? = nil,
    tolerance: Duration = .zero, overlap: Overlap = .keepLatest, answering: Answering = .newest,
    on owner: Owner,
    clock: any PacingClock = .dispatch,
    operation: @escaping @Sendable (isolated Owner, Input) async throws -> Output
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), varying: rule,
      tolerance: tolerance, answering: answering, clock: clock,
      operation: Handler(on: owner, overlap: overlap, operation: operation))
  }

  /// As `init(for:edges:maximumWait:varying:tolerance:overlap:answering:clock:operation:)`, without
  /// an operation: `deliver(to:overlap:operation:)` sets it, together with its owner.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    varying rule: (@Sendable (Input) -> Duration?)? = nil,
    tolerance: Duration = .zero, answering: Answering = .newest,
    clock: any PacingClock = .dispatch
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), varying: rule,
      tolerance: tolerance, answering: answering, clock: clock, operation: nil)
  }
}
