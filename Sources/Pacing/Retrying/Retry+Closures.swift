internal import Synchronization

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
/// Each attempt and the completion run at `place`, never on the caller's stack; the policy's
/// predicates and hooks run in a task. The completion is called once, unless the handle ends the
/// retry first. `finish` may be called from any thread; only the first call for the running attempt
/// counts. An attempt that outlasts the policy's `attemptTimeout` fails with a ``TimeoutError``,
/// and its later result is ignored. The retry keeps itself alive until it has ended.
///
/// `policy` and `clock` are those of `retry(_:clock:judging:_:)`. The operation receives its
/// attempt and calls `finish` with its result; the completion receives the success, or the last
/// failure.
///
/// - Returns: A handle to end the retry early; dropping it does not.
@discardableResult
public func retry<Success: Sendable>(
  _ policy: RetryPolicy, on place: Place = .shared, clock: any Clock<Duration> = .dispatch,
  _ operation:
    @escaping @Sendable (
      Attempt, _ finish: @escaping @Sendable (Result<Success, any Error>) -> Void
    ) -> Void,
  completion: @escaping @Sendable (Result<Success, any Error>) -> Void
) -> RetryHandle {
  let (service, end) = (clock.service, RetryHandle.End())
  let task = Task.detached(executorPreference: service.manual) {
    let result: Result<Success, any Error>
    do {
      let success: Success = try await run(policy, on: service, judging: { _ in nil }) { attempt in
        let outcome = OneShot<Result<Success, any Error>>()
        place.perform(in: service) {
          guard !end.hasCome, !outcome.isResolved else { return }
          operation(attempt) { outcome.resolve($0) }
        }
        return try await outcome.outcome(ifCancelled: .failure(CancellationError())).get()
      }
      result = .success(success)
    } catch {
      result = .failure(error)
    }
    guard end.come() else { return }
    place.perform(in: service) { completion(result) }
  }
  return RetryHandle(end: end, task: task)
}

/// The handle that ends a retry with closures early.
///
/// Dropping the handle does not end the retry. A handle that is kept holds none of the closures of
/// a retry that has ended.
public struct RetryHandle: Sendable {
  /// The end of the retry, which is decided once.
  fileprivate final class End: Sendable {
    private let isOver = Atomic(false)

    var hasCome: Bool { isOver.load(ordering: .acquiring) }

    /// - Returns: Whether this call decided it.
    func come() -> Bool { !isOver.exchange(true, ordering: .acquiringAndReleasing) }
  }

  fileprivate let end: End
  fileprivate let task: Task<Void, Never>

  /// Ends the retry, if it has not ended yet.
  ///
  /// No further attempt begins, and the completion is never called. A running attempt is not
  /// interrupted; its result is ignored. The policy's `onGiveUp` is called in the retry's task.
  ///
  /// - Returns: Whether this call ended it; false if its end was decided before.
  @discardableResult
  public func cancel() -> Bool {
    guard end.come() else { return false }
    task.cancel()
    return true
  }
}
