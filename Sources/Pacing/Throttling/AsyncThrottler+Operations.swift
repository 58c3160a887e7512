extension AsyncThrottler {
  /// Makes an async throttler.
  ///
  /// - Parameters:
  ///   - interval: The length of a window.
  ///   - edges: The ends of a window that run.
  ///   - rule: A closure that returns the length of the window that a given call opens, or nil for
  ///     `interval`; called on the caller's thread.
  ///   - tolerance: The maximum extra delay of a run, so that timers can share a wake.
  ///   - overlap: What happens when a call is due while the operation runs.
  ///   - answering: Which callers get what a run returns.
  ///   - clock: The throttler's clock.
  ///   - operation: The operation; it should respond to the cancellation of its task.
  public convenience init(
    every interval: Duration, edges: Edges = .both,
    varying rule: (@Sendable (Input) -> Duration?)? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, answering: Answering = .newest,
    clock: any PacingClock = .dispatch,
    operation: @escaping @Sendable (Input) async throws -> Output
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), varying: rule,
      tolerance: tolerance, answering: answering, clock: clock,
      operation: Handler(overlap: overlap, operation: operation))
  }

  /// As `init(every:edges:varying:tolerance:overlap:answering:clock:operation:)`, with an operation
  /// on the main actor.
  public convenience init(
    every interval: Duration, edges: Edges = .both,
    varying rule: (@Sendable (Input) -> Duration?)? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, answering: Answering = .newest, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch,
    operation: @escaping @MainActor (Input) async throws -> Output
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), varying: rule,
      tolerance: tolerance, answering: answering, clock: clock,
      operation: Handler(on: delivery, overlap: overlap, operation: operation))
  }

  /// As `init(every:edges:varying:tolerance:overlap:answering:clock:operation:)`, with an operation
  /// isolated to an actor.
  ///
  /// The throttler does not keep the actor alive; once it is gone, callers get `cancelled`.
  public convenience init<Owner: Actor>(
    every interval: Duration, edges: Edges = .both,
    varying rule: (@Sendable (Input) -> Duration?)? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, answering: Answering = .newest, on owner: Owner,
    clock: any PacingClock = .dispatch,
    operation: @escaping @Sendable (isolated Owner, Input) async throws -> Output
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), varying: rule,
      tolerance: tolerance, answering: answering, clock: clock,
      operation: Handler(on: owner, overlap: overlap, operation: operation))
  }

  /// As `init(every:edges:varying:tolerance:overlap:answering:clock:operation:)`, without an
  /// operation: `deliver(to:overlap:operation:)` sets it, together with its owner.
  public convenience init(
    every interval: Duration, edges: Edges = .both,
    varying rule: (@Sendable (Input) -> Duration?)? = nil, tolerance: Duration = .zero,
    answering: Answering = .newest, clock: any PacingClock = .dispatch
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), varying: rule,
      tolerance: tolerance, answering: answering, clock: clock, operation: nil)
  }
}
