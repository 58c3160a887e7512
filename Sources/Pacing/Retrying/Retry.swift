/// Runs an operation until it succeeds, waiting between attempts with exponential backoff and jitter.
///
/// ```swift
/// let page = try await retry(policy) { attempt in
///   try await fetch(url)
/// }
/// ```
///
/// Three attempts of an operation that takes a step, with delays of two and four steps:
///
///     attempts   1--2-----3
///     waits      -··-····--
///
/// ## Timing
/// The first attempt begins at once. A retry begins when its delay is over; one that could begin only
/// at the policy's deadline or later is not waited for.
///
/// ## Concurrency
/// The operation runs on the caller's actor, one attempt at a time, and nothing needs to be Sendable.
/// Cancellation is never retried: a `CancellationError` of the operation is rethrown as it is, and a
/// task that is cancelled while it waits stops waiting at once. An operation that ignores cancellation
/// is waited for. In a task that is cancelled already, the first attempt still runs and sees it.
///
/// - Parameters:
///   - policy: What is retried, how often, and how long after a failure.
///   - clock: The clock of the waits.
///   - operation: What is tried; it is told which attempt it is.
/// - Returns: What the operation returned.
/// - Throws: The operation's own failure, the last one, unchanged. Where the task is cancelled while it
///   waits, a `CancellationError` if `Failure` can be one, else the last failure. What the policy
///   refused is told to its `onGiveUp`.
public nonisolated(nonsending) func retry<Success, Failure: Error>(
  _ policy: RetryPolicy, clock: some PacingClock = .dispatch,
  _ operation: nonisolated(nonsending) (Attempt) async throws(Failure) -> Success
) async throws(Failure) -> Success {
  let service = clock.service
  var state = RetryState(policy, start: service.now)
  while true {
    let failure: Failure
    do throws(Failure) {
      return try await operation(state.attempt)
    } catch {
      failure = error
    }
    switch state.failed(with: failure, at: service.now) {
    case .giveUp(let end):
      policy.onGiveUp(end)
      throw failure
    case .retry(_, let instant):
      do {
        try await Sleeper(service: service).sleep(until: instant, tolerance: 0)
      } catch {
        policy.onGiveUp(state.cancelled(with: failure, whileWaiting: true, at: service.now))
        throw (error as? Failure) ?? failure
      }
    }
  }
}
