extension Poller {
  /// Makes an idle poller whose handler runs on the library's threads or on your queue.
  ///
  /// - Parameters:
  ///   - schedule: When it polls.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock of the waits.
  ///   - judging: Gives advice on a result, as in `PollSchedule.results(clock:judging:_:)`.
  ///   - operation: Polls.
  ///   - handler: Receives each result.
  public convenience init<Success: Sendable>(
    _ schedule: PollSchedule, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @Sendable (PollResult<Success>) -> Void
  ) {
    self.init(
      schedule, clock: clock, handler: PollHandler(Callback(on: delivery, handler)),
      judging: judging, operation: operation)
  }

  /// As `init(_:on:clock:judging:_:handler:)`, with a handler on the main actor.
  public convenience init<Success: Sendable>(
    _ schedule: PollSchedule, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @MainActor (PollResult<Success>) -> Void
  ) {
    self.init(
      schedule, clock: clock, handler: PollHandler(Callback(on: delivery, handler)),
      judging: judging, operation: operation)
  }

  /// As `init(_:on:clock:judging:_:handler:)`, with an async handler: the next poll waits for it.
  @_disfavoredOverload
  public convenience init<Success: Sendable>(
    _ schedule: PollSchedule, clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @Sendable (PollResult<Success>) async -> Void
  ) {
    self.init(
      schedule, clock: clock, handler: PollHandler(handler), judging: judging,
      operation: operation)
  }

  /// As `init(_:on:clock:judging:_:handler:)`, with an async handler on the main actor.
  @_disfavoredOverload
  public convenience init<Success: Sendable>(
    _ schedule: PollSchedule, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @MainActor (PollResult<Success>) async -> Void
  ) {
    self.init(
      schedule, clock: clock, handler: PollHandler(on: delivery, handler), judging: judging,
      operation: operation)
  }

  /// As `init(_:on:clock:judging:_:handler:)`, with an async handler of an actor, which is not kept
  /// alive: the polling ends with it.
  public convenience init<Success: Sendable, Owner: Actor>(
    _ schedule: PollSchedule, on owner: Owner, clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @Sendable (isolated Owner, PollResult<Success>) async -> Void
  ) {
    self.init(schedule, clock: clock)
    deliver(to: owner, judging: judging, operation, handler: handler)
  }

  // MARK: Operations that report to a closure

  /// As `init(_:on:clock:judging:_:handler:)`, for an operation that calls `finish` with its
  /// result.
  ///
  /// Only the first call of `finish` for a poll counts. The operation runs outside every lock, in
  /// the poller's task; cancelling the poller does not interrupt it, and its result is ignored.
  public convenience init<Success: Sendable>(
    _ schedule: PollSchedule, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation:
      @escaping @Sendable (
        _ finish: @escaping @Sendable (Result<Success, any Error>) -> Void
      ) -> Void,
    handler: @escaping @Sendable (PollResult<Success>) -> Void
  ) {
    self.init(
      schedule, clock: clock, handler: PollHandler(Callback(on: delivery, handler)),
      judging: judging, operation: awaiting(operation))
  }

  /// As `init(_:on:clock:judging:_:handler:)`, with a handler on the main actor, for an operation
  /// that calls `finish` with its result.
  public convenience init<Success: Sendable>(
    _ schedule: PollSchedule, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation:
      @escaping @Sendable (
        _ finish: @escaping @Sendable (Result<Success, any Error>) -> Void
      ) -> Void,
    handler: @escaping @MainActor (PollResult<Success>) -> Void
  ) {
    self.init(
      schedule, clock: clock, handler: PollHandler(Callback(on: delivery, handler)),
      judging: judging, operation: awaiting(operation))
  }
}
