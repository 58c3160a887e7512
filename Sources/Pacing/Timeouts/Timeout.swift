/// Runs an operation with a time limit, and cancels it when the time is over.
///
/// ```swift
/// let page = try await withTimeout(.seconds(5)) { try await fetch(url) }
/// ```
///
/// ## Timing
/// The time counts from the call. An operation that ends at or after the deadline times out, as one
/// on a busy actor does that learns of its end then; if there is no time, it does not start.
///
/// The deadline is in force for the operation and its child tasks: what waits inside on the same
/// clock, an `acquire`, a `retry` or a sleep of this library, fails immediately if it could not end
/// before. Of nested deadlines the earliest counts. A task that outlives the operation is free.
///
/// ## Concurrency
/// The operation runs on the caller's actor, and nothing needs to be Sendable. It has a task of its
/// own, no child task, and adds no tasks to a group around it. It begins on the caller's stack, and
/// one that never suspends costs no timer and is not interrupted. Its cancellation handlers run on
/// a thread of `.shared`. Cancellation is cooperative: `withTimeout` waits for an operation that
/// ignores it, and then throws ``TimeoutError``. Cancelling the caller cancels the operation, and
/// wins. Apple systems before 26 begin the operation a step later, and always with a timer.
///
/// - Returns: The operation's result, which may be noncopyable.
/// - Throws: ``TimeoutError`` if the operation took too long, `CancellationError` if the caller was
///   cancelled too, or the operation's error.
public func withTimeout<Success: ~Copyable>(
  _ timeout: Duration, clock: any Clock<Duration> = .dispatch,
  _ operation: nonisolated(nonsending) () async throws -> Success
) async throws -> Success {
  try await run(operation, on: clock.service) { ($0.advanced(by: timeout), timeout) }
}

/// Runs an operation with a deadline, as `withTimeout(_:clock:_:)` does with a time limit: for
/// several operations that share one deadline.
///
/// ```swift
/// let deadline = clock.now.advanced(by: .seconds(5))
/// let index = try await withDeadline(deadline, clock: clock) { try await fetchIndex() }
/// let pages = try await withDeadline(deadline, clock: clock) { try await fetchAll(index) }
/// ```
///
/// The limit of the ``TimeoutError`` is the time that was left at the call.
public func withDeadline<Success: ~Copyable>(
  _ deadline: PacingInstant, clock: any Clock<Duration> = .dispatch,
  _ operation: nonisolated(nonsending) () async throws -> Success
) async throws -> Success {
  try await run(operation, on: clock.service) { now in
    (deadline, max(.zero, now.duration(to: deadline)))
  }
}

@inline(__always)
private func run<Success: ~Copyable>(
  _ operation: nonisolated(nonsending) () async throws -> Success, on service: TimerService,
  _ end: (_ now: PacingInstant) -> (deadline: PacingInstant, limit: Duration)
) async throws -> Success {
  let now = service.now
  let (deadline, limit) = end(now)
  let scope = DeadlineInForce(deadline, limit: limit, on: service)
  var success: Success?
  var failure: (any Error)?
  guard now < deadline,
    await !scope.run({ do { success = try await operation() } catch { failure = error } })
  else {
    try Task.checkCancellation()
    throw scope.error
  }
  if let failure { throw failure }
  return success.take()!
}
