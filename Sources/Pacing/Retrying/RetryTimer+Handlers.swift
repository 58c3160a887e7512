extension RetryTimer {
  /// Makes a timer whose handler runs on the library's own threads, or on a queue of yours.
  ///
  /// - Parameters:
  ///   - backoff: How long to wait before each attempt.
  ///   - healthyPeriod: How long nothing fails after an attempt until it counts as a success; nil
  ///     for never.
  ///   - tolerance: How much later an attempt may be, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: Makes the attempt.
  public convenience init(
    backoff: Backoff, healthyPeriod: Duration? = nil, tolerance: Duration = .zero,
    on delivery: Delivery = .shared, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (Attempt) -> Void
  ) {
    self.init(
      backoff, healthyPeriod, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, handler))
  }

  /// Makes a timer whose handler runs on the main actor.
  ///
  /// - Parameters:
  ///   - backoff: How long to wait before each attempt.
  ///   - healthyPeriod: How long nothing fails after an attempt until it counts as a success; nil
  ///     for never.
  ///   - tolerance: How much later an attempt may be, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the timer follows.
  ///   - handler: Makes the attempt.
  public convenience init(
    backoff: Backoff, healthyPeriod: Duration? = nil, tolerance: Duration = .zero,
    on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Attempt) -> Void
  ) {
    self.init(
      backoff, healthyPeriod, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, handler))
  }

  /// Makes a timer with an async handler.
  ///
  /// - Parameters:
  ///   - backoff: How long to wait before each attempt.
  ///   - healthyPeriod: How long nothing fails after an attempt until it counts as a success; nil
  ///     for never.
  ///   - tolerance: How much later an attempt may be, so that timers can share a wake.
  ///   - overlap: What happens when an attempt falls due while the handler runs.
  ///   - clock: The clock that the timer follows.
  ///   - handler: Makes the attempt.
  public convenience init(
    backoff: Backoff, healthyPeriod: Duration? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (Attempt) async -> Void
  ) {
    self.init(
      backoff, healthyPeriod, tolerance: tolerance, clock: clock,
      handler: Handler(overlap: overlap, handler))
  }

  /// Makes a timer with an async handler on the main actor.
  ///
  /// - Parameters:
  ///   - backoff: How long to wait before each attempt.
  ///   - healthyPeriod: How long nothing fails after an attempt until it counts as a success; nil
  ///     for never.
  ///   - tolerance: How much later an attempt may be, so that timers can share a wake.
  ///   - overlap: What happens when an attempt falls due while the handler runs.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the timer follows.
  ///   - handler: Makes the attempt.
  public convenience init(
    backoff: Backoff, healthyPeriod: Duration? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, on delivery: MainDelivery,
    clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Attempt) async -> Void
  ) {
    self.init(
      backoff, healthyPeriod, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, overlap: overlap, handler))
  }

  /// Makes a timer with an async handler of an actor, which is not kept alive.
  ///
  /// - Parameters:
  ///   - backoff: How long to wait before each attempt.
  ///   - healthyPeriod: How long nothing fails after an attempt until it counts as a success; nil
  ///     for never.
  ///   - tolerance: How much later an attempt may be, so that timers can share a wake.
  ///   - overlap: What happens when an attempt falls due while the handler runs.
  ///   - owner: The actor.
  ///   - clock: The clock that the timer follows.
  ///   - handler: Makes the attempt.
  public convenience init<Owner: Actor>(
    backoff: Backoff, healthyPeriod: Duration? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, on owner: Owner, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, Attempt) async -> Void
  ) {
    self.init(
      backoff, healthyPeriod, tolerance: tolerance, clock: clock,
      handler: Handler(on: owner, overlap: overlap, handler))
  }

  /// Makes a timer without a handler: its attempts come out of `ticks()`.
  ///
  /// - Parameters:
  ///   - backoff: How long to wait before each attempt.
  ///   - healthyPeriod: How long nothing fails after an attempt until it counts as a success; nil
  ///     for never.
  ///   - tolerance: How much later an attempt may be, so that timers can share a wake.
  ///   - clock: The clock that the timer follows.
  public convenience init(
    backoff: Backoff, healthyPeriod: Duration? = nil, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch
  ) {
    self.init(
      backoff, healthyPeriod, tolerance: tolerance, clock: clock, handler: nil)
  }
}
