/// What receives the results of a poller, and where it runs.
struct PollHandler<Success: Sendable>: Sendable {
  typealias Poll = PollResult<Success>

  /// Hands a result over, unless the poller has been cancelled; false if nothing receives it any
  /// more.
  let receive: @Sendable (Poll, PollCore) async -> Bool

  /// A closure that runs at a place.
  init(_ callback: Callback<Poll>) {
    receive = { poll, core in
      let end = OneShot<Void>()
      callback.place.perform(in: core.service) {
        if core.isOpen { callback.body(poll) }
        end.resolve(())
      }
      await end.outcome()
      return true
    }
  }

  /// An async closure.
  init(_ body: @escaping @Sendable (Poll) async -> Void) {
    receive = { poll, core in
      if core.isOpen { await body(poll) }
      return true
    }
  }

  /// An async closure of the main actor.
  init(on _: MainDelivery, _ body: @escaping @MainActor (Poll) async -> Void) {
    receive = { poll, core in
      _ = try? await runOnMain(for: core.service) { if core.isOpen { await body(poll) } }
      return true
    }
  }

  /// An async closure of an actor, which is not kept alive.
  init<Owner: Actor>(
    on owner: Owner, _ body: @escaping @Sendable (isolated Owner, Poll) async -> Void
  ) {
    receive = { [weak owner] poll, core in
      guard let owner else { return false }
      await Self.deliver(poll, core, to: owner, body)
      return true
    }
  }

  private static func deliver<Owner: Actor>(
    _ poll: Poll, _ core: PollCore, to owner: isolated Owner,
    _ body: @Sendable (isolated Owner, Poll) async -> Void
  ) async {
    if core.isOpen { await body(owner, poll) }
  }
}

extension PollHandler {
  /// A closure that runs at a place, for a weakly held owner.
  init<Owner: AnyObject & Sendable>(
    on place: Delivery, for owner: Owner, _ body: @escaping @Sendable (Owner, Poll) -> Void
  ) {
    let handler = PollHandler(
      Callback(on: place) { [weak owner] poll in
        if let owner { body(owner, poll) }
      })
    receive = { [weak owner] poll, core in
      guard owner != nil else { return false }
      return await handler.receive(poll, core)
    }
  }

  /// An async closure of the main actor, for a weakly held owner.
  init<Owner: AnyObject & Sendable>(
    on place: MainDelivery, for owner: Owner,
    _ body: @escaping @MainActor (Owner, Poll) async -> Void
  ) {
    let handler = PollHandler(on: place) { [weak owner] poll in
      if let owner { await body(owner, poll) }
    }
    receive = { [weak owner] poll, core in
      guard owner != nil else { return false }
      return await handler.receive(poll, core)
    }
  }
}

/// Runs a part of a poll on the main actor.
///
/// A manual clock waits for it as for a handler. There it is a task of its own: one that runs
/// inside `advance` would continue only with the next `advance`.
func runOnMain<Value: Sendable>(
  for service: TimerService, _ body: @escaping @MainActor () async throws -> Value
) async throws -> Value {
  guard service.manual != nil else { return try await body() }
  let end = OneShot<Result<Value, any Error>>()
  let run = HandlerRun.begin(in: service) { _ in
    do {
      end.resolve(.success(try await body()))
    } catch {
      end.resolve(.failure(error))
    }
  }
  return try await withTaskCancellationHandler {
    try await end.outcome().get()
  } onCancel: {
    run.cancel()
  }
}

/// An operation that reports its result to a closure, as an async one.
///
/// Only the first result counts. A task that is cancelled does not wait for one.
func awaiting<Success: Sendable>(
  _ operation:
    @escaping @Sendable (_ finish: @escaping @Sendable (Result<Success, any Error>) -> Void) -> Void
) -> @Sendable () async throws -> Success {
  {
    let wait = OneShot<Result<Success, any Error>>()
    operation { wait.resolve($0) }
    return try await wait.outcome(ifCancelled: .failure(CancellationError())).get()
  }
}
