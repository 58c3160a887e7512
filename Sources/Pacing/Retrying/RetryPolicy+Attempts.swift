extension RetryPolicy {
  /// The policy's attempts as a stream: to ask for the next one says that the last one failed.
  ///
  /// ```swift
  /// for await attempt in policy.attempts() {
  ///   if await connect() { break }
  /// }
  /// ```
  ///
  /// ## Timing
  /// The first attempt comes at once. Each further `next()` waits for the backoff's delay, counted from
  /// the call, and nothing happens ahead of it. The stream ends when the policy gives up, without
  /// waiting for an attempt that it does not allow.
  ///
  /// ## Concurrency
  /// The stream ends with its task, and a wait ends at once. Between two calls it holds no timer.
  ///
  /// - Parameter clock: The clock of the waits.
  /// - Returns: A run of its own; its time begins with the first attempt.
  public func attempts(clock: some PacingClock = .dispatch) -> AsyncStream<Attempt> {
    let run = AttemptRun(self, service: clock.service)
    return AsyncStream { await run.next() }
  }
}

/// One run through a policy's attempts.
private final class AttemptRun: Sendable {
  private enum State {
    case new
    case running(RetryState)
    case ended
  }

  private let policy: RetryPolicy
  private let service: TimerService
  private let state = Locked(State.new)

  init(_ policy: RetryPolicy, service: TimerService) {
    self.policy = policy
    self.service = service
  }

  func next() async -> Attempt? {
    switch step() {
    case nil: return nil
    case .giveUp(let end):
      policy.onGiveUp(end)
      return nil
    case .retry(let attempt, let instant):
      do {
        try await Sleeper(service: service).sleep(until: instant, tolerance: 0)
        return attempt
      } catch {
        if let end = cancel() { policy.onGiveUp(end) }
        return nil
      }
    }
  }

  private func step() -> RetryState.Step? {
    state.withLock { state in
      let now = service.now
      switch state {
      case .ended: return nil
      case .new:
        let run = RetryState(policy, start: now)
        state = .running(run)
        return .retry(run.attempt, at: now)
      case .running(var run):
        let step = run.failed(with: nil, at: now)
        if case .giveUp = step { state = .ended } else { state = .running(run) }
        return step
      }
    }
  }

  private func cancel() -> GiveUp? {
    state.withLock { state in
      guard case .running(var run) = state else { return nil }
      state = .ended
      return run.cancelled(with: nil, whileWaiting: true, at: service.now)
    }
  }
}
