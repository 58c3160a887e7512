extension RetryTimer {
  /// Makes a timer whose handler runs on the library's threads or on your queue.
  ///
  /// - Parameters:
  ///   - backoff: How long to wait before each attempt.
  ///   - healthyPeriod: How long after an attempt a failure finds the backoff at its beginning; nil
  ///     for never.
  ///   - tolerance: The maximum extra delay of an attempt, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The timer's clock.
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

  /// As `init(backoff:healthyPeriod:tolerance:on:clock:handler:)`, with a handler on the main
  /// actor.
  public convenience init(
    backoff: Backoff, healthyPeriod: Duration? = nil, tolerance: Duration = .zero,
    on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    handler: @escaping @MainActor (Attempt) -> Void
  ) {
    self.init(
      backoff, healthyPeriod, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, handler))
  }

  /// As `init(backoff:healthyPeriod:tolerance:on:clock:handler:)`, with an async handler; `overlap`
  /// specifies what happens when an attempt falls due while it runs.
  @_disfavoredOverload
  public convenience init(
    backoff: Backoff, healthyPeriod: Duration? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (Attempt) async -> Void
  ) {
    self.init(
      backoff, healthyPeriod, tolerance: tolerance, clock: clock,
      handler: Handler(overlap: overlap, handler))
  }

  /// As `init(backoff:healthyPeriod:tolerance:on:clock:handler:)`, with an async handler on the
  /// main actor.
  @_disfavoredOverload
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

  /// As `init(backoff:healthyPeriod:tolerance:on:clock:handler:)`, with an async handler of an
  /// actor, which is not kept alive.
  public convenience init<Owner: Actor>(
    backoff: Backoff, healthyPeriod: Duration? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, on owner: Owner, clock: any PacingClock = .dispatch,
    handler: @escaping @Sendable (isolated Owner, Attempt) async -> Void
  ) {
    self.init(
      backoff, healthyPeriod, tolerance: tolerance, clock: clock,
      handler: Handler(on: owner, overlap: overlap, handler))
  }

  /// As `init(backoff:healthyPeriod:tolerance:on:clock:handler:)`, without a handler: its attempts
  /// come out of `ticks()`.
  public convenience init(
    backoff: Backoff, healthyPeriod: Duration? = nil, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch
  ) {
    self.init(
      backoff, healthyPeriod, tolerance: tolerance, clock: clock, handler: nil)
  }
}
