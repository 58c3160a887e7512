extension Poller {
  /// As `init(_:on:clock:judging:_:handler:)`, and starts it.
  ///
  /// - Returns: The running poller; dropping it cancels.
  public static func scheduled<Success: Sendable>(
    _ schedule: PollSchedule, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @Sendable (PollResult<Success>) -> Void
  ) -> Poller {
    Poller(schedule, on: delivery, clock: clock, judging: judging, operation, handler: handler)
      .started()
  }

  /// As `scheduled(_:on:clock:judging:_:handler:)`, with a handler on the main actor.
  public static func scheduled<Success: Sendable>(
    _ schedule: PollSchedule, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @MainActor (PollResult<Success>) -> Void
  ) -> Poller {
    Poller(schedule, on: delivery, clock: clock, judging: judging, operation, handler: handler)
      .started()
  }

  /// As `scheduled(_:on:clock:judging:_:handler:)`, with an async handler: the next poll waits for
  /// it.
  @_disfavoredOverload
  public static func scheduled<Success: Sendable>(
    _ schedule: PollSchedule, clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @Sendable (PollResult<Success>) async -> Void
  ) -> Poller {
    Poller(schedule, clock: clock, judging: judging, operation, handler: handler)
      .started()
  }

  /// As `scheduled(_:on:clock:judging:_:handler:)`, with an async handler on the main actor.
  @_disfavoredOverload
  public static func scheduled<Success: Sendable>(
    _ schedule: PollSchedule, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @MainActor (PollResult<Success>) async -> Void
  ) -> Poller {
    Poller(schedule, on: delivery, clock: clock, judging: judging, operation, handler: handler)
      .started()
  }

  /// As `scheduled(_:on:clock:judging:_:handler:)`, with an async handler of an actor, which is not
  /// kept alive: the polling ends with it.
  public static func scheduled<Success: Sendable, Owner: Actor>(
    _ schedule: PollSchedule, on owner: Owner, clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @Sendable (isolated Owner, PollResult<Success>) async -> Void
  ) -> Poller {
    Poller(schedule, on: owner, clock: clock, judging: judging, operation, handler: handler)
      .started()
  }

  /// As `scheduled(_:on:clock:judging:_:handler:)`, for an operation that calls `finish` with its
  /// result.
  public static func scheduled<Success: Sendable>(
    _ schedule: PollSchedule, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation:
      @escaping @Sendable (
        _ finish: @escaping @Sendable (Result<Success, any Error>) -> Void
      ) -> Void,
    handler: @escaping @Sendable (PollResult<Success>) -> Void
  ) -> Poller {
    Poller(schedule, on: delivery, clock: clock, judging: judging, operation, handler: handler)
      .started()
  }

  /// As `scheduled(_:on:clock:judging:_:handler:)`, with a handler on the main actor, for an
  /// operation that calls `finish` with its result.
  public static func scheduled<Success: Sendable>(
    _ schedule: PollSchedule, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation:
      @escaping @Sendable (
        _ finish: @escaping @Sendable (Result<Success, any Error>) -> Void
      ) -> Void,
    handler: @escaping @MainActor (PollResult<Success>) -> Void
  ) -> Poller {
    Poller(schedule, on: delivery, clock: clock, judging: judging, operation, handler: handler)
      .started()
  }

  private func started() -> Poller {
    start()
    return self
  }
}
