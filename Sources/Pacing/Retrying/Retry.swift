/// Runs an operation until it succeeds, waiting between attempts with exponential backoff and
/// jitter.
///
/// ```swift
/// let page = try await retry(policy) { try await fetch(url) }
/// let response = try await retry(policy, judging: { response in
///   response.status == 503 ? .retry(after: response.retryAfter) : nil
/// }) { attempt in try await send(request) }
/// ```
///
/// Three attempts of an operation that takes a step, with delays of two and four steps:
///
///     step       0123456789
///     attempts   1--2----3-
///
/// ## Timing
/// The first attempt begins immediately, a retry when its delay is over. A retry that could not
/// begin before the policy's deadline, or before that of a `withTimeout` around it on the same
/// clock, is not waited for. If a wake comes after the policy's deadline, no attempt is made.
///
/// ## Concurrency
/// The operation runs on the caller's actor, one attempt at a time, and nothing needs to be
/// Sendable. Cancellation of the task is never retried and always wins: a task that is cancelled
/// during an attempt makes no further one, and a cancelled wait ends immediately. A
/// `CancellationError` of the operation in a task that is not cancelled is a failure like others.
/// `retry` waits for an operation that ignores cancellation. In a task that is already cancelled,
/// the first attempt still runs and sees it.
///
/// - Parameters:
///   - policy: What is retried, how often, and how long after a failure.
///   - clock: The clock of the waits.
///   - judging: Gives advice on a result; nil accepts it. A result that is not accepted is returned
///     when the policy gives up.
///   - operation: The operation, which receives its attempt.
/// - Returns: What the operation returned.
/// - Throws: The operation's last failure, unchanged; only a ``PermanentError`` is unwrapped if
///   `Failure` allows. If the task is cancelled, a `CancellationError` if `Failure` can be one,
///   else the last failure. The policy's `onGiveUp` receives what the policy refused.
/// - Precondition: If the policy is `limited(by:)` a limit, `Failure` is `any Error`.
public func retry<Success, Failure: Error>(
  _ policy: RetryPolicy, clock: any Clock<Duration> = .dispatch,
  judging: (Success) -> RetryAdvice? = { _ in nil },
  _ operation: nonisolated(nonsending) (Attempt) async throws(Failure) -> Success
) async throws(Failure) -> Success {
  try await run(policy, on: clock.service, judging: judging, operation)
}

/// As `retry(_:clock:judging:_:)`, for an operation without a parameter.
public func retry<Success, Failure: Error>(
  _ policy: RetryPolicy, clock: any Clock<Duration> = .dispatch,
  judging: (Success) -> RetryAdvice? = { _ in nil },
  _ operation: nonisolated(nonsending) () async throws(Failure) -> Success
) async throws(Failure) -> Success {
  try await run(policy, on: clock.service, judging: judging) { _ async throws(Failure) in
    try await operation()
  }
}

extension AcquireError: RetryAdvising {
  /// A retry after the wait that was needed; none if no wait is long enough, or if the limit is
  /// closed.
  public var retryAdvice: RetryAdvice? {
    switch self {
    case .exceedsBurst, .closed: .permanent
    case .deadline(let neededWait): neededWait.map { .retry(after: $0) } ?? .retry
    case .queueIsFull: .retry
    }
  }
}
