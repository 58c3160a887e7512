/// One run through a policy's attempts.
final class AttemptRun: Sendable {
  /// An attempt that is waited for, or being made.
  private struct Current {
    var state: RetryState
    /// Why the attempt before it failed, or why this one did.
    var failure: (any Error)?
    var isMade = false
    var hasFailed = false
  }

  private enum Phase {
    case new
    case running(Current)
    case ended
  }

  private struct Position {
    var phase = Phase.new
    /// Counts the steps: a step is computed outside the lock, since a backoff may be a user's
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

  /// Waits for the next attempt; nil at the end.
  func next() async -> Attempt? {
    guard let (state, instant) = step() else { return nil }
    do {
      try await service.sleep(until: instant)
      try Task.checkCancellation()
    } catch {
      cancel()
      return nil
    }
    if state.serial > 1, hasOverslept(state.serial) { return nil }
    policy.beforeAttempt(state.attempt)
    begin(state.serial)
    var attempt = state.attempt
    attempt.loop = (self, state.serial)
    return attempt
  }

  // MARK: The consumer's words

  /// Notes the success of an attempt, which ends the run.
  func succeeded(_ serial: Int) {
    end { $0.isMade && $0.state.serial == serial }
  }

  /// Notes the failure of an attempt, and why it failed.
  func failed(_ serial: Int, with error: (any Error)?) {
    change(serial) { current in
      guard current.isMade else { return }
      current.failure = error
      current.hasFailed = true
    }
  }

  /// Notes that the consumer has left; without a report that is a success, unless its task is
  /// cancelled.
  func left(isCancelled: Bool) {
    end { $0.isMade && !$0.hasFailed && !isCancelled }
  }

  private func end(ifSuccess isSuccess: (Current) -> Bool) {
    let ended = close { isSuccess($0) }
    guard var state = ended?.state else { return }
    policy.afterAttempt(state.succeeded(at: service.now))
  }

  // MARK: Steps

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
        if move(to: .running(Current(state: state)), from: before) { return (state, now) }
      case .running(let current):
        var state = current.state
        let ended = state.attempt
        switch state.failed(with: current.failure, at: now) {
        case .giveUp(let end):
          guard move(to: .ended, from: before) else { continue }
          policy.tellEnd(end, of: ended, in: state, at: now)
          return nil
        case .retry(let next, let instant):
          let waiting = Current(state: state, failure: current.failure)
          guard move(to: .running(waiting), from: before) else {
            _ = state.cancelled(with: nil, whileWaiting: true, at: now)
            continue
          }
          let report = state.report(of: ended, error: current.failure, at: now, next: next)
          policy.afterAttempt(report)
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

  /// Ends the run if the wait for an attempt has passed the deadline.
  private func hasOverslept(_ serial: Int) -> Bool {
    let now = service.now
    var end: GiveUp?
    let last = close { current in
      guard current.state.serial == serial else { return false }
      end = current.state.overslept(after: current.failure, at: now)
      return end != nil
    }
    // It may hold the last reference to a failure, which is released outside the lock.
    withExtendedLifetime(last) {}
    if let end { policy.onGiveUp(end) }
    return end != nil
  }

  private func begin(_ serial: Int) {
    change(serial) { current in
      current.state.begin(at: service.now)
      current.failure = nil
      current.isMade = true
    }
  }

  private func cancel() {
    guard var current = close({ _ in true }) else { return }
    policy.onGiveUp(
      current.state.cancelled(with: current.failure, whileWaiting: true, at: service.now))
  }

  // MARK: Under the lock

  /// Changes the current attempt if it is the one of that number; what it replaces is released
  /// after the lock.
  private func change(_ serial: Int, _ body: (inout Current) -> Void) {
    position.release { position -> Current? in
      guard case .running(let before) = position.phase, before.state.serial == serial else {
        return nil
      }
      var current = before
      body(&current)
      position.phase = .running(current)
      return before
    }
  }

  /// Ends the run if `isEnd` is true of the current attempt, and returns that.
  private func close(_ isEnd: (inout Current) -> Bool) -> Current? {
    position.withLock { position in
      guard case .running(var current) = position.phase, isEnd(&current) else { return nil }
      position = Position(phase: .ended, revision: position.revision + 1)
      return current
    }
  }
}
