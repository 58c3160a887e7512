/// Runs an operation that reports its result to a closure until it succeeds, with a wait after each
/// failure.
///
/// ```swift
/// let task = retry(policy, on: .queue(network)) { attempt, finish in
///   client.get(url) { result in finish(result) }
/// } completion: { result in
///   show(result)
/// }
/// ```
///
/// ## Concurrency
/// Each attempt and the completion run at `place`, never on the caller's stack; the policy's
/// predicates and hooks run in the task. The completion is called once, unless the task is
/// cancelled first. `finish` may be called from any thread; only the first call for the running
/// attempt counts. An attempt that outlasts the policy's `attemptTimeout` fails with a
/// ``TimeoutError``, and its later result is ignored. The retry keeps itself alive until it has
/// ended.
///
/// Cancelling the task ends it: no further attempt begins, and the completion is not called any
/// more. A running attempt is not interrupted; its result is ignored. The policy's `onGiveUp` is
/// called, unless an attempt has just succeeded.
///
/// `policy` and `clock` are those of `retry(_:clock:judging:_:)`. The operation receives its
/// attempt and calls `finish` with its result; the completion receives the success, or the last
/// failure.
///
/// - Returns: The retry's task, which ends when the completion has returned or will not be called;
///   dropping it does not end the retry.
@discardableResult
public func retry<Success: Sendable>(
  _ policy: RetryPolicy, on place: Place = .shared, clock: any Clock<Duration> = .dispatch,
  _ operation:
    @escaping @Sendable (
      Attempt, _ finish: @escaping @Sendable (Result<Success, any Error>) -> Void
    ) -> Void,
  completion: @escaping @Sendable (Result<Success, any Error>) -> Void
) -> Task<Void, Never> {
  let (service, end) = (clock.service, OneShot<Void>())
  return Task.detached(executorPreference: service.manual) {
    await withTaskCancellationHandler {
      let result: Result<Success, any Error>
      do {
        let success: Success = try await run(policy, on: service, judging: { _ in nil }) {
          attempt in
          let outcome = OneShot<Result<Success, any Error>>()
          place.perform(in: service) {
            guard !end.isResolved, !outcome.isResolved else { return }
            operation(attempt) { outcome.resolve($0) }
          }
          return try await outcome.outcome(ifCancelled: .failure(CancellationError())).get()
        }
        result = .success(success)
      } catch {
        result = .failure(error)
      }
      // A cancelled task sees that before its handler has run.
      guard !Task.isCancelled else { return }
      let told = OneShot<Void>()
      place.perform(in: service) {
        if end.resolve(()) { completion(result) }
        told.resolve(())
      }
      await told.outcome()
    } onCancel: {
      end.resolve(())
    }
  }
}
