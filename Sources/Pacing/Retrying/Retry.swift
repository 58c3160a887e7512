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
/// The first attempt begins at once. A retry begins when its delay is over; one that could begin
/// only at the policy's deadline or later is not waited for.
///
/// ## Concurrency
/// The operation runs on the caller's actor, one attempt at a time, and nothing needs to be
/// Sendable. Cancellation is never retried, and wins over everything else: a `CancellationError` of
/// the operation is rethrown as it is, a task that is cancelled during an attempt makes no further
/// one, and one that is cancelled while it waits stops waiting at once. An operation that ignores
/// cancellation is waited for. In a task that is cancelled already, the first attempt still runs
/// and sees it.
///
/// - Parameters:
///   - policy: What is retried, how often, and how long after a failure.
///   - clock: The clock of the waits.
///   - operation: What is tried; it is told which attempt it is.
/// - Returns: What the operation returned.
/// - Throws: The operation's own failure, the last one, unchanged; only a `PermanentError` is
///   unwrapped where `Failure` allows. Where the task is cancelled, a `CancellationError` if
///   `Failure` can be one, else the last failure. What the policy refused is told to its
///   `onGiveUp`.
public nonisolated(nonsending) func retry<Success, Failure: Error>(
  _ policy: RetryPolicy, clock: any PacingClock = .dispatch,
  _ operation: nonisolated(nonsending) (Attempt) async throws(Failure) -> Success
) async throws(Failure) -> Success {
  try await runAttempts(
    policy, service: clock.service, judging: { _ throws(Failure) in nil }
  ) { attempt, _ async throws(Failure) in
    try await operation(attempt)
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
/// It is `retry(_:clock:_:)`, with one difference: what the operation returned may be a failure
/// too. A result that is not accepted is returned when the policy gives up.
///
/// - Parameters:
///   - policy: What is retried, how often, and how long after a failure.
///   - clock: The clock of the waits.
///   - judging: What is to be done about a result, nil where it is accepted. An error that it
///     throws ends the retry with that error.
///   - operation: What is tried; it is told which attempt it is.
/// - Returns: The first result that was accepted, or the last one.
/// - Throws: As `retry(_:clock:_:)`, where the last attempt failed.
public nonisolated(nonsending) func retry<Success, Failure: Error>(
  _ policy: RetryPolicy, clock: any PacingClock = .dispatch,
  judging: (Success) throws(Failure) -> RetryAdvice?,
  _ operation: nonisolated(nonsending) (Attempt) async throws(Failure) -> Success
) async throws(Failure) -> Success {
  try await runAttempts(
    policy, service: clock.service, judging: judging
  ) { attempt, _ async throws(Failure) in
    try await operation(attempt)
  }
}

/// Runs an operation until it succeeds, and cancels each attempt that takes too long.
///
/// It is `retry(_:clock:judging:_:)` with a limit for each attempt: the timeout, or what is left of
/// the policy's deadline where that is less. An attempt that is cut off fails with a
/// `TimeoutError`, which is retried like other failures. An operation that ignores cancellation is
/// waited for.
///
/// - Parameters:
///   - policy: What is retried, how often, and how long after a failure.
///   - attemptTimeout: How long each attempt may take.
///   - clock: The clock of the waits and of the timeout.
///   - judging: What is to be done about a result, nil where it is accepted.
///   - operation: What is tried; it is told which attempt it is.
/// - Returns: The first result that was accepted, or the last one.
/// - Throws: The last failure; a `CancellationError` where the task is cancelled.
public nonisolated(nonsending) func retry<Success>(
  _ policy: RetryPolicy, attemptTimeout: Duration, clock: any PacingClock = .dispatch,
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
