/// Runs an operation with a time limit, and cancels it when the time is over.
///
/// ```swift
/// let page = try await withTimeout(.seconds(5)) { try await fetch(url) }
/// ```
///
/// ## Timing
/// The time counts from the call. An operation that ends exactly at the deadline, or later, is too
/// late, whatever it returned or threw. If the timeout is not positive, the operation does not
/// start.
///
/// ## Concurrency
/// The operation runs on the caller's actor, in a child task that is cancelled when the time is
/// over; nothing needs to be Sendable. Its cancellation handlers run on a thread of `.shared` then,
/// and delay no timer. Cancellation is cooperative: `withTimeout` waits for an operation that
/// ignores it, and then throws ``TimeoutError``. Cancelling the caller cancels the operation, and
/// wins: the timeout of a cancelled caller throws `CancellationError`.
///
/// - Parameters:
///   - timeout: The time limit.
///   - clock: The clock of the timeout.
///   - isolation: The caller's actor; leave it out.
///   - operation: The operation.
/// - Returns: The operation's result.
/// - Throws: ``TimeoutError`` if the operation took too long, `CancellationError` if the caller was
///   cancelled too, or the operation's error.
public func withTimeout<Success>(
  _ timeout: Duration, clock: any Clock<Duration> = .dispatch,
  isolation: isolated (any Actor)? = #isolation,
  _ operation: nonisolated(nonsending) () async throws -> Success
) async throws -> Success {
  try await withDeadline(
    clock.service.now.advanced(by: timeout), on: clock.service,
    error: TimeoutError(limit: timeout), operation)
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
/// - Returns: The operation's result.
/// - Throws: ``TimeoutError``, whose limit is the time that was left at the call,
///   `CancellationError` if the caller was cancelled too, or the operation's error.
public func withDeadline<Success>(
  _ deadline: PacingInstant, clock: any Clock<Duration> = .dispatch,
  isolation: isolated (any Actor)? = #isolation,
  _ operation: nonisolated(nonsending) () async throws -> Success
) async throws -> Success {
  let timeout = max(.zero, clock.service.now.duration(to: deadline))
  return try await withDeadline(
    deadline, on: clock.service, error: TimeoutError(limit: timeout), operation)
}

private func withDeadline<Success>(
  _ deadline: PacingInstant, on service: TimerService, error: TimeoutError,
  isolation: isolated (any Actor)? = #isolation,
  _ operation: nonisolated(nonsending) () async throws -> Success
) async throws -> Success {
  guard service.now < deadline else {
    try Task.checkCancellation()
    throw error
  }
  let alarm = TimeoutAlarm(service: service)
  alarm.set(deadline)
  defer { alarm.clear() }
  // The task has ended when this function returns, so the operation does not escape.
  return try await withoutActuallyEscaping(operation) { operation in
    var result: Result<Success, any Error>?
    let isCancelled = Task.isCancelled
    let attempt = {
      // It may begin before this function could cancel it.
      if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
      do {
        result = .success(try await operation())
      } catch {
        result = .failure(error)
      }
    }
    let task: Task<Void, Never>
    // Capturing the isolation makes the task run on the caller's actor.
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
      let advance = service.manual?.ofCurrentTask
    {
      task = Task.immediate(executorPreference: advance) {
        _ = isolation
        await attempt()
      }
    } else {
      task = Task {
        _ = isolation
        await attempt()
      }
    }
    alarm.whenFired { task.cancel() }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    // A clock that is set back takes no timeout back.
    guard service.now < deadline, !alarm.hasElapsed else {
      try Task.checkCancellation()
      throw error
    }
    return try result!.get()
  }
}
