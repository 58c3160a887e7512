/// A retry in closures: the shell around its state.
///
/// ## Concurrency
/// One thread at a time decides: whoever brings the answer that the phase waits for. The state is
/// taken out of the lock for it, so predicates, hooks and backoffs of the user's are called beside
/// it.
final class RetryRun<Success: Sendable>: TimerTarget, CancellableRun {
  typealias Outcome = Result<Success, any Error>
  typealias Operation =
    @Sendable (Attempt, _ finish: @escaping @Sendable (Outcome) -> Void) -> Void

  private enum Phase {
    /// The attempt waits for its instant.
    case waiting(RetryState, TimerService.Handle?)
    /// The attempt is on its way, or runs.
    case running(RetryState, timeout: TimeoutAlarm?)
    /// Someone decides what follows.
    case deciding
    case ended
  }

  private let policy: RetryPolicy
  private let attemptTimeout: Nanoseconds?
  private let service: TimerService
  private let place: Delivery
  private let operation: Operation
  private let completion: @Sendable (Outcome) -> Void
  private let phase: Locked<Phase>

  init(
    _ policy: RetryPolicy, attemptTimeout: Nanoseconds?, service: TimerService, on place: Delivery,
    operation: @escaping Operation, completion: @escaping @Sendable (Outcome) -> Void
  ) {
    self.policy = policy
    self.attemptTimeout = attemptTimeout
    self.service = service
    self.place = place
    self.operation = operation
    self.completion = completion
    phase = Locked(.waiting(RetryState(policy, start: service.now), nil))
  }

  /// Begins the attempt that is waited for.
  func begin() {
    place.perform(in: service) { self.runAttempt() }
  }

  func wake(_ handle: TimerService.Handle) {
    begin()
  }

  func cancel() -> Bool {
    let before = phase.withLock { phase in
      defer { phase = .ended }
      return phase
    }
    let state: RetryState
    let isWaiting: Bool
    switch before {
    case .ended:
      return false
    case .deciding:
      // Whoever decides finds the end, and tells the hooks.
      return true
    case .waiting(let waiting, let entry):
      if let entry { service.cancel(entry) }
      (state, isWaiting) = (waiting, true)
    case .running(let running, let timeout):
      timeout?.clear()
      (state, isWaiting) = (running, false)
    }
    tellCancelled(state, with: nil, whileWaiting: isWaiting)
    return true
  }

  // MARK: One attempt

  private func runAttempt() {
    let begun = take { phase in
      if case .waiting(let state, _) = phase { state } else { nil }
    }
    guard var state = begun else { return }
    let attempt = state.attempt
    policy.beforeAttempt(attempt)
    state.begin(at: service.now)
    let limit = attemptTimeout.map { min($0, state.timeLeft ?? .never) }
    let timeout = limit.map { limit in
      let alarm = TimeoutAlarm(service: service, on: place)
      alarm.whenFired { [self] in
        finish(attempt, .failure(TimeoutError(limit: Duration(nanoseconds: limit))))
      }
      return alarm
    }
    guard put(.running(state, timeout: timeout)) else {
      // The attempt is not made.
      return tellCancelled(state, with: nil, whileWaiting: true)
    }
    guard limit != 0 else { return finish(attempt, .failure(TimeoutError(limit: .zero))) }
    if let limit { timeout?.set(service.now + limit) }
    operation(attempt) { self.finish(attempt, $0) }
  }

  /// Takes the answer of an attempt; only the first one of the attempt that runs counts.
  private func finish(_ attempt: Attempt, _ outcome: Outcome) {
    var timeout: TimeoutAlarm?
    let running = take { phase in
      guard case .running(let state, let alarm) = phase, state.attempt == attempt else {
        return nil
      }
      timeout = alarm
      return state
    }
    guard var state = running else { return }
    timeout?.clear()
    let now = service.now
    switch outcome {
    case .success:
      let report = state.succeeded(at: now)
      guard end(state) else { return }
      policy.afterAttempt(report)
      complete(outcome)
    case .failure(let error):
      switch state.failed(with: error, at: now) {
      case .giveUp(let giveUp):
        guard end(state) else { return }
        policy.tellEnd(giveUp, of: state, at: now)
        complete(.failure(giveUp.error ?? error))
      case .retry(let next, let instant):
        policy.afterAttempt(state.report(of: attempt, error: error, at: now, next: next))
        wait(until: instant, state, after: error)
      }
    }
  }

  private func wait(until instant: PacingInstant, _ state: RetryState, after error: any Error) {
    let isEarliest = phase.withLock { phase -> Bool? in
      guard case .deciding = phase else { return nil }
      let (handle, isEarliest) = service.schedule(self, at: instant)
      phase = .waiting(state, handle)
      return isEarliest
    }
    guard let isEarliest else { return tellCancelled(state, with: error, whileWaiting: true) }
    if isEarliest { service.arm() }
  }

  // MARK: The phase

  /// Takes the state out of its phase, to decide alone.
  private func take(_ state: (Phase) -> RetryState?) -> RetryState? {
    phase.withLock { phase in
      guard let state = state(phase) else { return nil }
      phase = .deciding
      return state
    }
  }

  /// Puts a phase in, unless the run was ended meanwhile.
  private func put(_ next: Phase) -> Bool {
    phase.withLock { phase in
      guard case .deciding = phase else { return false }
      phase = next
      return true
    }
  }

  /// Decides the end; a cancellation that came before it wins.
  private func end(_ state: RetryState) -> Bool {
    if put(.ended) { return true }
    tellCancelled(state, with: nil, whileWaiting: false)
    return false
  }

  private func tellCancelled(
    _ state: RetryState, with error: (any Error)?, whileWaiting isWaiting: Bool
  ) {
    var state = state
    let end = state.cancelled(with: error, whileWaiting: isWaiting, at: service.now)
    policy.onGiveUp(end)
  }

  private func complete(_ outcome: Outcome) {
    place.perform(in: service) { self.completion(outcome) }
  }
}
