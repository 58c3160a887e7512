/// Runs an operation until it succeeds, waiting between attempts with exponential backoff and
/// jitter.
///
/// ```swift
/// let page = try await retry(policy) { attempt in
///   try await fetch(url)
/// }
/// ```
///
/// Three attempts of an operation that takes a step, with delays of two and four steps:
///
///     step       0123456789
///     attempts   1--2----3-
///
/// ## Timing
/// The first attempt begins immediately. A retry begins when its delay is over. One that could not
/// begin before the policy's deadline is not waited for, and one whose wake is late is not made if
/// the deadline has passed by then.
///
/// ## Concurrency
/// The operation runs on the caller's actor, one attempt at a time, and nothing needs to be
/// Sendable. Cancellation is never retried and always wins: a `CancellationError` of the operation
/// is rethrown as it is, a task that is cancelled during an attempt makes no further one, and a
/// cancelled wait ends immediately. `retry` waits for an operation that ignores cancellation. In a
/// task that is already cancelled, the first attempt still runs and sees it.
///
/// - Parameters:
///   - policy: What is retried, how often, and how long after a failure.
///   - clock: The clock of the waits.
///   - operation: The operation, which receives its attempt.
/// - Returns: What the operation returned.
/// - Throws: The operation's last failure, unchanged; only a ``PermanentError`` is unwrapped if
///   `Failure` allows. If the task is cancelled, a `CancellationError` if `Failure` can be one,
///   else the last failure. The policy's `onGiveUp` receives what the policy refused.
public nonisolated(nonsending) func retry<Success, Failure: Error>(
  _ policy: RetryPolicy, clock: any Clock<Duration> = .dispatch,
  _ operation: nonisolated(nonsending) (Attempt) async throws(Failure) -> Success
) async throws(Failure) -> Success {
  try await runAttempts(
    policy, service: clock.service, judging: { _ throws(Failure) in nil }
  ) { attempt, _ async throws(Failure) in
    try await operation(attempt)
  }
}

/// As `retry(_:clock:_:)`, for an operation that does not ask which attempt it is.
public nonisolated(nonsending) func retry<Success, Failure: Error>(
  _ policy: RetryPolicy, clock: any Clock<Duration> = .dispatch,
  _ operation: nonisolated(nonsending) () async throws(Failure) -> Success
) async throws(Failure) -> Success {
  try await runAttempts(
    policy, service: clock.service, judging: { _ throws(Failure) in nil }
  ) { _, _ async throws(Failure) in
    try await operation()
  }
}

/// Runs an operation until it returns a result that is good enough.
///
/// ```swift
/// let response = try await retry(policy, judging: { response in
///   response.status == 503 ? .retry(after: response.retryAfter) : nil
/// }) { attempt in try await send(request) }
/// ```
///
/// As `retry(_:clock:_:)`, with results that may be failures too: `judging` gives advice on each,
/// and accepts it by nil. A result that is not accepted is returned when the policy gives up. An
/// error that `judging` throws ends the retry with that error.
public nonisolated(nonsending) func retry<Success, Failure: Error>(
  _ policy: RetryPolicy, clock: any Clock<Duration> = .dispatch,
  judging: (Success) throws(Failure) -> RetryAdvice?,
  _ operation: nonisolated(nonsending) (Attempt) async throws(Failure) -> Success
) async throws(Failure) -> Success {
  try await runAttempts(
    policy, service: clock.service, judging: judging
  ) { attempt, _ async throws(Failure) in
    try await operation(attempt)
  }
}

/// As `retry(_:clock:judging:_:)`, for an operation that does not ask which attempt it is.
public nonisolated(nonsending) func retry<Success, Failure: Error>(
  _ policy: RetryPolicy, clock: any Clock<Duration> = .dispatch,
  judging: (Success) throws(Failure) -> RetryAdvice?,
  _ operation: nonisolated(nonsending) () async throws(Failure) -> Success
) async throws(Failure) -> Success {
  try await runAttempts(
    policy, service: clock.service, judging: judging
  ) { _, _ async throws(Failure) in
    try await operation()
  }
}

/// Runs an operation until it succeeds, and cancels each attempt that takes too long.
///
/// As `retry(_:clock:judging:_:)`, with a limit for each attempt: the timeout, or what is left
/// before the policy's deadline if that is less. An attempt that is cut off fails with a
/// ``TimeoutError``, which is retried like other failures. `retry` waits for an operation that
/// ignores cancellation.
public nonisolated(nonsending) func retry<Success>(
  _ policy: RetryPolicy, attemptTimeout: Duration, clock: any Clock<Duration> = .dispatch,
  judging: (Success) throws -> RetryAdvice? = { _ in nil },
  _ operation: nonisolated(nonsending) (Attempt) async throws -> Success
) async throws -> Success {
  let timeout = Nanoseconds(wait: attemptTimeout)
  return try await runAttempts(
    policy, service: clock.service, judging: judging
  ) { attempt, timeLeft in
    try await withTimeout(
      Duration(nanoseconds: min(timeout, timeLeft ?? .never)), clock: clock
    ) {
      try await operation(attempt)
    }
  }
}

/// As `retry(_:attemptTimeout:clock:judging:_:)`, for an operation that does not ask which attempt
/// it is.
public nonisolated(nonsending) func retry<Success>(
  _ policy: RetryPolicy, attemptTimeout: Duration, clock: any Clock<Duration> = .dispatch,
  judging: (Success) throws -> RetryAdvice? = { _ in nil },
  _ operation: nonisolated(nonsending) () async throws -> Success
) async throws -> Success {
  try await retry(policy, attemptTimeout: attemptTimeout, clock: clock, judging: judging) {
    (_: Attempt) in try await operation()
  }
}
