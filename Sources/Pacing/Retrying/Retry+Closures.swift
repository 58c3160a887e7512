/// Runs an operation that answers by a closure until it succeeds, waiting between the attempts.
///
/// ```swift
/// let handle = retry(policy, on: .queue(network)) { attempt, finish in
///   client.get(url) { result in finish(result) }
/// } completion: { result in
///   show(result)
/// }
/// ```
///
/// ## Concurrency
/// Each attempt begins on the place that was named, never on the caller's stack, and so does the
/// completion, which is called once, unless the handle ends the retry first. `finish` may be called
/// from any thread; only the first call for the attempt that runs counts. A `CancellationError` is
/// not retried. The retry keeps itself alive until it has ended.
///
/// - Parameters:
///   - policy: What is retried, how often, and how long after a failure.
///   - attemptTimeout: How long each attempt may take, nil for as long as it takes. One that takes
///     longer, or past the policy's deadline, fails with a `TimeoutError`; what it says later is
///     ignored.
///   - delivery: Where attempts begin and the completion runs.
///   - clock: The clock of the waits.
///   - operation: What is tried: it is told which attempt it is, and calls `finish` with its
///     result.
///   - completion: Called with the success, or with the last failure.
/// - Returns: A handle to end the retry early; dropping it does not.
public func retry<Success: Sendable>(
  _ policy: RetryPolicy, attemptTimeout: Duration? = nil, on delivery: Delivery = .shared,
  clock: any PacingClock = .dispatch,
  _ operation:
    @escaping @Sendable (
      Attempt, _ finish: @escaping @Sendable (Result<Success, any Error>) -> Void
    ) -> Void,
  completion: @escaping @Sendable (Result<Success, any Error>) -> Void
) -> RetryHandle {
  let run = RetryRun(
    policy, attemptTimeout: attemptTimeout.map(Nanoseconds.init(wait:)), service: clock.service,
    on: delivery, operation: operation, completion: completion)
  run.begin()
  return RetryHandle(run: run)
}

/// Runs an operation on the main actor until it succeeds, waiting between the attempts.
///
/// It is `retry(_:attemptTimeout:on:clock:_:completion:)` for closures of the main actor.
///
/// - Parameters:
///   - policy: What is retried, how often, and how long after a failure.
///   - attemptTimeout: How long each attempt may take, nil for as long as it takes.
///   - delivery: `.main`.
///   - clock: The clock of the waits.
///   - operation: What is tried: it is told which attempt it is, and calls `finish` with its
///     result.
///   - completion: Called with the success, or with the last failure.
/// - Returns: A handle to end the retry early; dropping it does not.
public func retry<Success: Sendable>(
  _ policy: RetryPolicy, attemptTimeout: Duration? = nil, on delivery: MainDelivery,
  clock: any PacingClock = .dispatch,
  _ operation:
    @escaping @MainActor (
      Attempt, _ finish: @escaping @Sendable (Result<Success, any Error>) -> Void
    ) -> Void,
  completion: @escaping @MainActor (Result<Success, any Error>) -> Void
) -> RetryHandle {
  retry(
    policy, attemptTimeout: attemptTimeout, on: .mainQueue, clock: clock,
    { attempt, finish in MainActor.assumeIsolated { operation(attempt, finish) } },
    completion: { result in MainActor.assumeIsolated { completion(result) } })
}
