/// Runs an operation, and cancels it when a time is over.
///
/// ```swift
/// let page = try await withTimeout(.seconds(5)) { try await fetch(url) }
/// ```
///
/// ## Timing
/// The time counts from the call. An operation that ends exactly when it is over, or later, is too
/// late, whatever it returned or threw: so also one that ends while the timer fires. Where there is
/// no time at all, the operation is not begun.
///
/// ## Concurrency
/// The operation runs on the caller's actor, in a task of its own that is cancelled when the time
/// is over, and nothing needs to be Sendable. Cancellation is cooperative: an operation that
/// ignores it is waited for, and `TimeoutError` comes when it has ended. Cancelling the caller
/// cancels the operation, and wins: the timeout of a caller that is cancelled is a
/// `CancellationError`.
///
/// - Parameters:
///   - timeout: How long the operation may take.
///   - clock: The clock of the timeout.
///   - isolation: The caller's actor; leave it out.
///   - operation: What is done.
/// - Returns: What the operation returned in time.
/// - Throws: `TimeoutError` where it took too long, `CancellationError` where the caller was
///   cancelled too, or what the operation threw.
public func withTimeout<Success>(
  _ timeout: Duration, clock: any PacingClock = .dispatch,
  isolation: isolated (any Actor)? = #isolation,
  _ operation: nonisolated(nonsending) () async throws -> Success
) async throws -> Success {
  try await withDeadline(
    clock.now.advanced(by: timeout), clock: clock, error: TimeoutError(limit: timeout), operation)
}

/// Runs an operation, and cancels it at an instant: `withTimeout(_:clock:isolation:_:)` for those
/// who share one deadline between several operations.
///
/// ```swift
/// let deadline = clock.now.advanced(by: .seconds(5))
/// let index = try await withDeadline(deadline, clock: clock) { try await fetchIndex() }
/// let pages = try await withDeadline(deadline, clock: clock) { try await fetchAll(index) }
/// ```
///
/// - Parameters:
///   - deadline: When the operation must have ended, as an instant of the clock.
///   - clock: The deadline's clock.
///   - isolation: The caller's actor; leave it out.
///   - operation: What is done.
/// - Returns: What the operation returned in time.
/// - Throws: `TimeoutError` where it took too long, `CancellationError` where the caller was
///   cancelled too, or what the operation threw.
public func withDeadline<Success>(
  _ deadline: PacingInstant, clock: any PacingClock = .dispatch,
  isolation: isolated (any Actor)? = #isolation,
  _ operation: nonisolated(nonsending) () async throws -> Success
) async throws -> Success {
  let timeout = max(.zero, clock.now.duration(to: deadline))
  return try await withDeadline(
    deadline, clock: clock, error: TimeoutError(limit: timeout), operation)
}

private func withDeadline<Success>(
  _ deadline: PacingInstant, clock: any PacingClock, error: TimeoutError,
  isolation: isolated (any Actor)? = #isolation,
  _ operation: nonisolated(nonsending) () async throws -> Success
) async throws -> Success {
  let service = clock.service
  guard service.now < deadline else {
    try Task.checkCancellation()
    throw error
  }
  let alarm = TimeoutAlarm(service: service)
  alarm.set(deadline)
  defer { alarm.clear() }
  // The task has ended when this function returns: nothing escapes.
  return try await withoutActuallyEscaping(operation) { operation in
    var result: Result<Success, any Error>?
    let attempt = {
      do {
        result = .success(try await operation())
      } catch {
        result = .failure(error)
      }
    }
    let task: Task<Void, Never>
    // The isolation is captured, so that the task runs on the caller's actor.
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
      let advance = service.manual?.ofCurrentTask
    {
      // It begins before it could be cancelled from here.
      let isCancelled = Task.isCancelled
      task = Task.immediate(executorPreference: advance) {
        _ = isolation
        if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
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
    guard service.now < deadline else {
      try Task.checkCancellation()
      throw error
    }
    return try result!.get()
  }
}
