extension RetryState {
  /// What follows an attempt that did not succeed.
  enum Next {
    /// The next attempt, whose wait is over.
    case attempt
    /// There is no further attempt.
    case giveUp(GiveUp)
    /// The task was cancelled, before or during the wait.
    case cancelled
  }

  /// Decides what follows an attempt that did not succeed, tells the policy's hooks, and waits
  /// until the next attempt may begin.
  ///
  /// - Parameters:
  ///   - error: The failure; nil if it is a result.
  ///   - advice: The advice on a result.
  ///   - policy: The policy whose hooks are told.
  ///   - service: The service of the wait.
  /// - Returns: What follows.
  mutating func waitForNext(
    after error: (any Error)?, advice: RetryAdvice? = nil, telling policy: RetryPolicy,
    in service: TimerService
  ) async -> Next {
    let ended = attempt
    let now = service.now
    guard !Task.isCancelled else {
      policy.tellEnd(cancelled(with: error, at: now), of: ended, in: self, at: now)
      return .cancelled
    }
    switch failed(with: error, advice: advice, at: now) {
    case .giveUp(let end):
      policy.tellEnd(end, of: ended, in: self, at: now)
      return .giveUp(end)
    case .retry(let next, let instant):
      policy.afterAttempt(report(of: ended, error: error, at: now, next: next))
      // Cancellation wins even if the sleep has ended.
      try? await service.sleep(until: instant)
      if Task.isCancelled {
        policy.onGiveUp(cancelled(with: error, whileWaiting: true, at: service.now))
        return .cancelled
      }
      guard let end = overslept(after: error, at: service.now) else { return .attempt }
      policy.onGiveUp(end)
      return .giveUp(end)
    }
  }
}

extension RetryPolicy {
  /// Tells the hooks of an end that came with the attempt.
  func tellEnd(_ end: GiveUp, of attempt: Attempt, in state: RetryState, at now: PacingInstant) {
    afterAttempt(state.report(of: attempt, error: end.error, at: now))
    onGiveUp(end)
  }
}
