extension AsyncThrottler {
  /// Makes an async throttler.
  ///
  /// - Parameters:
  ///   - interval: The length of a window.
  ///   - edges: Which end of a window is run.
  ///   - rule: How long the window is that a certain call opens, asked on the caller's thread; nil
  ///     for `interval`.
  ///   - tolerance: How much later a run may be, so that timers can share a wake.
  ///   - overlap: What happens when a call falls due while the operation runs.
  ///   - clock: The clock that the throttler follows.
  ///   - operation: What is run; it should heed the cancellation of its task.
  public convenience init(
    every interval: Duration, edges: Edges = .both,
    varying rule: (@Sendable (Input) -> Duration?)? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, clock: any PacingClock = .dispatch,
    operation: @escaping @Sendable (Input) async throws -> Output
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), varying: rule,
      tolerance: tolerance, clock: clock,
      handler: Handler(overlap: overlap, operation: operation))
  }

  /// Makes an async throttler whose operation runs on the main actor.
  ///
  /// The parameters are those of the first overload.
  public convenience init(
    every interval: Duration, edges: Edges = .both,
    varying rule: (@Sendable (Input) -> Duration?)? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    operation: @escaping @MainActor (Input) async throws -> Output
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), varying: rule,
      tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, overlap: overlap, operation: operation))
  }

  /// Makes an async throttler whose operation belongs to an actor, which it does not keep alive.
  ///
  /// The other parameters are those of the first overload. `owner` is the actor; once it is gone,
  /// callers get `cancelled`.
  public convenience init<Owner: Actor>(
    every interval: Duration, edges: Edges = .both,
    varying rule: (@Sendable (Input) -> Duration?)? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, on owner: Owner, clock: any PacingClock = .dispatch,
    operation: @escaping @Sendable (isolated Owner, Input) async throws -> Output
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges), varying: rule,
      tolerance: tolerance, clock: clock,
      handler: Handler(on: owner, overlap: overlap, operation: operation))
  }
}
