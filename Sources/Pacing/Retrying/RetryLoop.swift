/// The one loop behind every async form of `retry`; the operation receives its attempt and what is
/// left of the policy's time.
func runAttempts<Success, Failure: Error>(
  _ policy: RetryPolicy, service: TimerService,
  judging: (Success) throws(Failure) -> RetryAdvice?,
  operation: nonisolated(nonsending) (Attempt, Nanoseconds?) async throws(Failure) -> Success
) async throws(Failure) -> Success {
  var state = RetryState(policy, start: service.now)
  while true {
    policy.beforeAttempt(state.attempt)
    state.begin(at: service.now)
    let outcome: AttemptOutcome<Success, Failure>
    do throws(Failure) {
      outcome = .returned(try await operation(state.attempt, state.timeLeft))
    } catch {
      outcome = .failed(error)
    }
    var advice: RetryAdvice?
    if case .returned(let success) = outcome {
      do throws(Failure) {
        advice = try judging(success)
      } catch {
        let end = state.refused(with: error, at: service.now)
        policy.tellEnd(end, of: state.attempt, in: state, at: service.now)
        throw error
      }
      guard advice != nil else {
        policy.afterAttempt(state.succeeded(at: service.now))
        return success
      }
    }
    switch await state.waitForNext(
      after: outcome.error, advice: advice, telling: policy, in: service)
    {
    case .attempt: continue
    case .giveUp: return try outcome.last()
    case .cancelled: return try outcome.cancelled()
    }
  }
}

/// How an attempt ended.
private enum AttemptOutcome<Success, Failure: Error> {
  case returned(Success)
  case failed(Failure)

  var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// The retry's result if there is no further attempt.
  func last() throws(Failure) -> Success {
    switch self {
    case .returned(let success): return success
    case .failed(let error):
      throw ((error as? PermanentError)?.underlying as? Failure) ?? error
    }
  }

  /// The retry's result in a cancelled task.
  func cancelled() throws(Failure) -> Success {
    if let cancellation = CancellationError() as? Failure, !(error is CancellationError) {
      throw cancellation
    }
    return try last()
  }
}
