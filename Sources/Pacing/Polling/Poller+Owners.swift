extension Poller {
  /// Sets the operation and the handler of a poller made without them; the handler runs on the main
  /// actor.
  ///
  /// The form for a class that keeps the poller in a `let`, at the end of its initialiser:
  ///
  /// ```swift
  /// poller.deliver(to: self) {
  ///   try await fetchStatus()
  /// } handler: { model, poll in
  ///   model.status = poll.value
  /// }
  /// poller.start()
  /// ```
  ///
  /// The poller holds the owner weakly, and passes it to the handler, which needs no `[weak self]`.
  /// It makes no poll without the owner: the first one that falls due after the owner is gone ends
  /// the polling. An operation with a parameter receives the owner as well, and keeps it alive
  /// until it ends; one without a parameter is cancelled if the owner goes with the poller.
  ///
  /// - Parameters:
  ///   - owner: The object that the handler works for.
  ///   - judging: Gives advice on a result, as in `PollSchedule.results(clock:judging:_:)`.
  ///   - operation: Polls.
  ///   - handler: Receives the owner and each result; the next poll waits for it.
  /// - Precondition: The poller has no operation.
  @MainActor
  public func deliver<Owner: AnyObject & Sendable, Success: Sendable>(
    to owner: Owner, judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @MainActor (Owner, PollResult<Success>) async -> Void
  ) {
    set(
      PollRequest(judging: judging, of: owner, operation),
      PollHandler(on: .main, for: owner, handler))
  }

  /// As `deliver(to:judging:_:handler:)`, with an operation on the main actor that receives the
  /// owner.
  @MainActor
  public func deliver<Owner: AnyObject & Sendable, Success: Sendable>(
    to owner: Owner, judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @MainActor (Owner) async throws -> Success,
    handler: @escaping @MainActor (Owner, PollResult<Success>) async -> Void
  ) {
    set(
      PollRequest(judging: judging, of: owner) { [weak owner, service] in
        guard let owner else { throw CancellationError() }
        return try await runOnMain(for: service) { try await operation(owner) }
      },
      PollHandler(on: .main, for: owner, handler))
  }

  /// As `deliver(to:judging:_:handler:)`, with a handler isolated to an actor.
  public func deliver<Owner: Actor, Success: Sendable>(
    to owner: Owner, judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @Sendable (isolated Owner, PollResult<Success>) async -> Void
  ) {
    set(PollRequest(judging: judging, of: owner, operation), PollHandler(on: owner, handler))
  }

  /// As `deliver(to:judging:_:handler:)`, with an operation and a handler isolated to an actor.
  public func deliver<Owner: Actor, Success: Sendable>(
    to owner: Owner, judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable (isolated Owner) async throws -> Success,
    handler: @escaping @Sendable (isolated Owner, PollResult<Success>) async -> Void
  ) {
    set(
      PollRequest(judging: judging, of: owner) { [weak owner] in
        guard let owner else { throw CancellationError() }
        return try await operation(owner)
      },
      PollHandler(on: owner, handler))
  }

  /// As `deliver(to:judging:_:handler:)`, with a handler on the library's threads or on your queue.
  public func deliver<Owner: AnyObject & Sendable, Success: Sendable>(
    to owner: Owner, on delivery: Delivery,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @Sendable (Owner, PollResult<Success>) -> Void
  ) {
    set(
      PollRequest(judging: judging, of: owner, operation),
      PollHandler(on: delivery, for: owner, handler))
  }
}

extension PollRequest {
  /// A request whose results are for a weakly held owner.
  init(
    judging: @escaping @Sendable (Success) -> RetryAdvice?, of owner: some AnyObject & Sendable,
    _ operation: @escaping @Sendable () async throws -> Success
  ) {
    self.init(judging: judging, isWanted: { [weak owner] in owner != nil }, operation: operation)
  }
}
