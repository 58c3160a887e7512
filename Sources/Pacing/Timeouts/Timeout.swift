/// Runs an operation with a time limit, and cancels it when the time is over.
///
/// ```swift
/// let page = try await withTimeout(.seconds(5)) { try await fetch(url) }
/// ```
///
/// ## Timing
/// The time counts from the call. An operation that finishes at or after the deadline times out,
/// regardless of its result. If the timeout is not positive, the operation does not start.
///
/// The deadline is in force for the operation and its child tasks: `acquire`, `withPermit`, the
/// waits of `retry` and the sleeps of this library, on the same clock, fail immediately if they
/// could not end before it. The earliest of nested deadlines counts. A task that outlives the
/// operation is not bound.
///
/// ## Concurrency
/// The operation runs on the caller's actor, in a child task, and nothing needs to be Sendable. It
/// begins on the caller's stack and is cancelled when the time is over, but no earlier than it
/// first suspends: one that never suspends costs no timer, and is not interrupted. Its cancellation
/// handlers run on a thread of `.shared` then, and delay no timer. Cancellation is cooperative:
/// `withTimeout` waits for an operation that ignores it, and then throws ``TimeoutError``.
/// Cancelling the caller cancels the operation, and wins: the timeout of a cancelled caller throws
/// `CancellationError`.
///
/// - Parameters:
///   - timeout: The time limit.
///   - clock: The clock of the timeout.
///   - isolation: The caller's actor; leave it out.
///   - operation: The operation.
/// - Returns: The operation's result, which may be noncopyable.
/// - Throws: ``TimeoutError`` if the operation took too long, `CancellationError` if the caller was
///   cancelled too, or the operation's error.
public func withTimeout<Success: ~Copyable>(
  _ timeout: Duration, clock: any Clock<Duration> = .dispatch,
  isolation: isolated (any Actor)? = #isolation,
  _ operation: nonisolated(nonsending) () async throws -> Success
) async throws -> Success {
  let service = clock.service
  return try await run(
    until: service.now.advanced(by: timeout), limit: timeout, on: service, operation)
}

/// Runs an operation with a deadline, and cancels it when that has come.
///
/// It is `withTimeout(_:clock:isolation:_:)` for several operations that share one deadline, with
/// the same rules for ends, cancellation and threads.
///
/// ```swift
/// let deadline = clock.now.advanced(by: .seconds(5))
/// let index = try await withDeadline(deadline, clock: clock) { try await fetchIndex() }
/// let pages = try await withDeadline(deadline, clock: clock) { try await fetchAll(index) }
/// ```
///
/// - Parameters:
///   - deadline: The instant, on `clock`, by which the operation must have ended.
///   - clock: The clock of the deadline.
///   - isolation: The caller's actor; leave it out.
///   - operation: The operation.
/// - Returns: The operation's result, which may be noncopyable.
/// - Throws: ``TimeoutError``, whose limit is the time that was left at the call,
///   `CancellationError` if the caller was cancelled too, or the operation's error.
public func withDeadline<Success: ~Copyable>(
  _ deadline: PacingInstant, clock: any Clock<Duration> = .dispatch,
  isolation: isolated (any Actor)? = #isolation,
  _ operation: nonisolated(nonsending) () async throws -> Success
) async throws -> Success {
  let service = clock.service
  let limit = max(.zero, service.now.duration(to: deadline))
  return try await run(until: deadline, limit: limit, on: service, operation)
}

private func run<Success: ~Copyable>(
  until deadline: PacingInstant, limit: Duration, on service: TimerService,
  isolation: isolated (any Actor)? = #isolation,
  _ operation: nonisolated(nonsending) () async throws -> Success
) async throws -> Success {
  guard service.now < deadline else {
    try Task.checkCancellation()
    throw TimeoutError(limit: limit)
  }
  let scope = DeadlineInForce(deadline, limit: limit, on: service)
  let result = await scope.run(operation)
  guard !scope.isOver else {
    try Task.checkCancellation()
    throw scope.error
  }
  return try result.get()
}
