/// A retry with closures: the lock, the timer and the places around a `RetryState`.
///
/// ## Concurrency
/// One thread at a time decides: the one that brings the result that the phase waits for. It takes
/// the state out of the lock, so the user's predicates, hooks and backoffs run outside it.
final class RetryRun<Success: Sendable>: TimerTarget {
  typealias Outcome = Result<Success, any Error>
  typealias Operation =
    @Sendable (Attempt, _ finish: @escaping @Sendable (Outcome) -> Void) -> Void

  private enum Phase {
    /// The attempt waits for its instant, after a failure unless it is the first.
    case waiting(RetryState, after: (any Error)?)
    /// The attempt runs, or is about to.
    case running(RetryState, timeout: TimeoutAlarm?)
    /// A thread decides what follows.
    case deciding
    case ended
  }

  /// The user's closures, which are released at the end: a handle may be kept for longer.
  private struct Work {
    let operation: Operation
    let completion: @Sendable (Outcome) -> Void
  }

  private struct Contents {
    var phase: Phase
    /// Nil after the end.
    var work: Work?
    var timer = TimerEntry()
  }

  private let attemptTimeout: Nanoseconds?
  private let service: TimerService
  private let place: Place
  private let contents: Locked<Contents>

  init(
    _ policy: RetryPolicy, attemptTimeout: Nanoseconds?, service: TimerService, on place: Place,
    operation: @escaping Operation, completion: @escaping @Sendable (Outcome) -> Void
  ) {
    self.attemptTimeout = attemptTimeout
    self.service = service
    self.place = place
    contents = Locked(
      Contents(
        phase: .waiting(RetryState(policy, start: service.now), after: nil),
        work: Work(operation: operation, completion: completion)))
  }

  /// Begins the attempt that is waited for.
  func begin() {
    place.perform(in: service) { self.runAttempt() }
  }

  func wake(_ handle: TimerService.Handle) {
    contents.withLock { $0.timer.fired(handle) }
    begin()
  }

  func cancel() -> Bool {
    // What is taken is released outside the lock.
    let (before, work) = contents.withLock { contents -> (Phase, Work?) in
      let before = contents.phase
      if case .ended = before { return (before, nil) }
      contents.phase = .ended
      _ = contents.timer.set(.distantFuture, tolerance: 0, for: self, in: service)
      return (before, contents.work.take())
    }
    defer { withExtendedLifetime(work) {} }
    switch before {
    case .ended:
      return false
    case .deciding:
      // The deciding thread finds the end, and tells the hooks.
      return true
    case .waiting(let state, _):
      tellCancelled(state, whileWaiting: true)
    case .running(let state, let timeout):
      timeout?.clear()
      tellCancelled(state, whileWaiting: false)
    }
    return true
  }

  // MARK: One attempt

  private func runAttempt() {
    var failure: (any Error)?
    let begun = take { phase in
      guard case .waiting(let state, let error) = phase else { return nil }
      failure = error
      return state
    }
    guard var state = begun else { return }
    if let failure, let end = state.overslept(after: failure, at: service.now) {
      guard let work = put(.ended) else { return tellCancelled(state, whileWaiting: true) }
      state.policy.onGiveUp(end)
      return complete(work, .failure(end.error ?? failure))
    }
    state.policy.beforeAttempt(state.attempt)
    state.begin(at: service.now)
    let serial = state.serial
    let limit = attemptTimeout.map { min($0, state.timeLeft ?? .never) }
    let timeout = limit.map { limit in
      let alarm = TimeoutAlarm(service: service, on: place)
      alarm.whenFired { [self] in
        finish(serial, .failure(Self.timeout(limit)))
      }
      return alarm
    }
    guard let operation = put(.running(state, timeout: timeout))?.operation else {
      // The attempt is not made.
      return tellCancelled(state, whileWaiting: true)
    }
    guard limit != 0 else { return finish(serial, .failure(Self.timeout(0))) }
    guard let limit else { return operation(state.attempt) { self.finish(serial, $0) } }
    let deadline = service.now + limit
    timeout?.set(deadline)
    operation(state.attempt) { outcome in
      // The timer may be late, and a clock that is set back takes no timeout back.
      let isLate = deadline <= self.service.now || timeout?.hasElapsed == true
      self.finish(serial, isLate ? .failure(Self.timeout(limit)) : outcome)
    }
  }

  private static func timeout(_ limit: Nanoseconds) -> TimeoutError {
    TimeoutError(limit: Duration(nanoseconds: limit))
  }

  /// Takes the result of an attempt; only the first one of the attempt that runs counts.
  private func finish(_ serial: Int, _ outcome: Outcome) {
    var timeout: TimeoutAlarm?
    let running = take { phase in
      guard case .running(let state, let alarm) = phase, state.serial == serial else { return nil }
      timeout = alarm
      return state
    }
    guard var state = running else { return }
    timeout?.clear()
    let ended = state.attempt
    let now = service.now
    switch outcome {
    case .success:
      let report = state.succeeded(at: now)
      let work = put(.ended)
      state.policy.afterAttempt(report)
      work.map { complete($0, outcome) } ?? tellCancelled(state, whileWaiting: false)
    case .failure(let error):
      switch state.failed(with: error, at: now) {
      case .giveUp(let giveUp):
        let work = put(.ended)
        state.policy.afterAttempt(state.report(of: ended, error: error, at: now))
        guard let work else { return tellCancelled(state, whileWaiting: false) }
        state.policy.onGiveUp(giveUp)
        complete(work, .failure(giveUp.error ?? error))
      case .retry(let next, let instant):
        state.policy.afterAttempt(state.report(of: ended, error: error, at: now, next: next))
        wait(until: instant, state, after: error)
      }
    }
  }

  private func wait(until instant: PacingInstant, _ state: RetryState, after error: any Error) {
    let mustArm = contents.withLock { contents -> Bool? in
      guard case .deciding = contents.phase else { return nil }
      contents.phase = .waiting(state, after: error)
      return contents.timer.set(instant, tolerance: 0, for: self, in: service)
    }
    guard let mustArm else { return tellCancelled(state, whileWaiting: true) }
    if mustArm { service.arm() }
  }

  // MARK: The phase

  /// Takes the state out of its phase, to decide alone.
  private func take(_ state: (Phase) -> RetryState?) -> RetryState? {
    contents.withLock { contents in
      guard let state = state(contents.phase) else { return nil }
      contents.phase = .deciding
      return state
    }
  }

  /// Puts a phase in, and returns the closures; nil if a cancellation came before.
  private func put(_ next: Phase) -> Work? {
    contents.withLock { contents in
      guard case .deciding = contents.phase else { return nil }
      contents.phase = next
      if case .ended = next { return contents.work.take() }
      return contents.work
    }
  }

  private func tellCancelled(_ state: RetryState, whileWaiting isWaiting: Bool) {
    var state = state
    state.policy.onGiveUp(state.cancelled(whileWaiting: isWaiting, at: service.now))
  }

  private func complete(_ work: Work, _ outcome: Outcome) {
    place.perform(in: service) { work.completion(outcome) }
  }
}
