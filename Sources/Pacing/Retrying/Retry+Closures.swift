/// Runs an operation that reports its result to a closure until it succeeds, with a wait after each
/// failure.
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
/// Each attempt and the completion run where `delivery` specifies, never on the caller's stack. The
/// completion is called once, unless the handle ends the retry first. `finish` may be called from
/// any thread; only the first call for the running attempt counts. A `CancellationError` is not
/// retried. The retry keeps itself alive until it has ended.
///
/// - Parameters:
///   - policy: What is retried, how often, and how long after a failure.
///   - attemptTimeout: The longest time for each attempt; nil for no limit. An attempt that takes
///     longer, or past the policy's deadline, fails with a ``TimeoutError``, and its later result
///     is ignored.
///   - place: The place where attempts and the completion run.
///   - clock: The clock of the waits.
///   - operation: The operation, which receives its attempt and calls `finish` with its result.
///   - completion: Receives the success, or the last failure.
/// - Returns: A handle to end the retry early; dropping it does not.
@discardableResult
public func retry<Success: Sendable>(
  _ policy: RetryPolicy, attemptTimeout: Duration? = nil, on place: Place = .shared,
  clock: any Clock<Duration> = .dispatch,
  _ operation:
    @escaping @Sendable (
      Attempt, _ finish: @escaping @Sendable (Result<Success, any Error>) -> Void
    ) -> Void,
  completion: @escaping @Sendable (Result<Success, any Error>) -> Void
) -> RetryHandle {
  let run = RetryRun(
    policy, attemptTimeout: attemptTimeout.map(Nanoseconds.init(wait:)), service: clock.service,
    on: place, operation: operation, completion: completion)
  run.begin()
  return RetryHandle(end: run.cancel)
}

/// As `retry(_:attemptTimeout:on:clock:_:completion:)`, with closures that run on the main actor.
@discardableResult
public func retry<Success: Sendable>(
  _ policy: RetryPolicy, attemptTimeout: Duration? = nil, on place: Place.Main,
  clock: any Clock<Duration> = .dispatch,
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
