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
  /// The first attempt comes at once. Each further `next()` waits for the backoff's delay, counted
  /// from the call, and nothing happens ahead of it. The stream ends when the policy gives up,
  /// without waiting for an attempt that it does not allow.
  ///
  /// ## Concurrency
  /// The stream ends with its task, and a wait ends at once. Between two calls it holds no timer.
  /// Of a cancellation the policy is told where it ends a wait: how an attempt ends is the loop's.
  ///
  /// - Parameter clock: The clock of the waits.
  /// - Returns: A run of its own; its time begins with the first attempt.
  public func attempts(clock: any PacingClock = .dispatch) -> AsyncStream<Attempt> {
    let run = AttemptRun(self, service: clock.service)
    return AsyncStream { await run.next() }
  }
}

/// One run through a policy's attempts.
private final class AttemptRun: Sendable {
  private enum Phase {
    case new
    case running(RetryState)
    case ended
  }

  private struct Position {
    var phase = Phase.new
    /// Counts the changes: a step is computed beside the lock, since a backoff may be a user's
    /// closure.
    var revision = 0
  }

  private let policy: RetryPolicy
  private let service: TimerService
  private let position = Locked(Position())

  init(_ policy: RetryPolicy, service: TimerService) {
    self.policy = policy
    self.service = service
  }

  func next() async -> Attempt? {
    guard let (state, instant) = step() else { return nil }
    do {
      try await service.sleep(until: instant)
      try Task.checkCancellation()
    } catch {
      cancel()
      return nil
    }
    policy.beforeAttempt(state.attempt)
    begin(state.attempt)
    return state.attempt
  }

  /// The next attempt's state and instant; nil at the end, which the policy has been told then.
  private func step() -> (RetryState, PacingInstant)? {
    while true {
      let before = position.withLock { $0 }
      let now = service.now
      switch before.phase {
      case .ended:
        return nil
      case .new:
        let state = RetryState(policy, start: now)
        if move(to: .running(state), from: before) { return (state, now) }
      case .running(var state):
        let ended = state.attempt
        switch state.failed(with: nil, at: now) {
        case .giveUp(let end):
          guard move(to: .ended, from: before) else { continue }
          policy.tellEnd(end, of: state, at: now)
          return nil
        case .retry(let next, let instant):
          guard move(to: .running(state), from: before) else {
            _ = state.cancelled(with: nil, whileWaiting: true, at: now)
            continue
          }
          policy.afterAttempt(state.report(of: ended, error: nil, at: now, next: next))
          return (state, instant)
        }
      }
    }
  }

  private func move(to phase: Phase, from before: Position) -> Bool {
    position.withLock { position in
      guard position.revision == before.revision else { return false }
      position = Position(phase: phase, revision: before.revision + 1)
      return true
    }
  }

  private func begin(_ attempt: Attempt) {
    position.withLock { position in
      guard case .running(var state) = position.phase, state.attempt == attempt else { return }
      state.begin(at: service.now)
      position.phase = .running(state)
    }
  }

  private func cancel() {
    let state = position.withLock { position -> RetryState? in
      guard case .running(let state) = position.phase else { return nil }
      position = Position(phase: .ended, revision: position.revision + 1)
      return state
    }
    guard var state else { return }
    policy.onGiveUp(state.cancelled(with: nil, whileWaiting: true, at: service.now))
  }
}
