/// One run through a schedule's polls, one at a time.
final class PollRun<Success: Sendable>: Sendable {
  private enum Phase {
    case new
    case ready(PollState)
    /// Someone waits for the next poll, or makes it; those who also asked for one stand in line.
    case busy([OneShot<Void>])
    case ended
  }

  private let schedule: PollSchedule
  private let service: TimerService
  private let judging: @Sendable (Success) -> RetryAdvice?
  private let operation: @Sendable () async throws -> Success
  private let phase = Locked(Phase.new)

  init(
    _ schedule: PollSchedule, service: TimerService,
    judging: @escaping @Sendable (Success) -> RetryAdvice?,
    operation: @escaping @Sendable () async throws -> Success
  ) {
    self.schedule = schedule
    self.service = service
    self.judging = judging
    self.operation = operation
  }

  /// Waits until the next poll is due, and makes it; nil at the end.
  func next() async -> PollResult<Success>? {
    guard var state = await take() else { return nil }
    do {
      try await service.sleep(until: state.deadline)
      try await schedule.limit?.acquire()
      try Task.checkCancellation()
    } catch {
      put(nil)
      return nil
    }
    guard let tick = state.begin(at: service.now) else {
      put(nil)
      return nil
    }
    let result: Result<Success, any Error>
    do {
      result = .success(try await operation())
    } catch {
      result = .failure(error)
    }
    let hasNext = proceed(&state, after: result)
    guard !Task.isCancelled, !(result.error is CancellationError) else {
      put(nil)
      return nil
    }
    put(hasNext ? state : nil)
    return PollResult(tick: tick, result: result, failures: state.failures)
  }

  private func proceed(
    _ state: inout PollState, after result: Result<Success, any Error>
  ) -> Bool {
    let now = service.now
    switch result {
    case .success(let success):
      let advice = judging(success)
      guard let advice, advice.hint == nil else {
        return state.succeeded(hint: advice?.hint, at: now)
      }
      return state.failed(advice: advice, at: now)
    case .failure(let error):
      return state.failed(advice: schedule.advice(on: error), at: now)
    }
  }

  // MARK: One at a time

  /// Takes the state, in turn; nil at the end.
  private func take() async -> PollState? {
    while true {
      let before = phase.withLock { phase in
        let before = phase
        switch phase {
        case .new, .ready: phase = .busy([])
        case .busy, .ended: break
        }
        return before
      }
      switch before {
      case .new:
        return PollState(schedule, start: service.now, wallOffset: service.wallOffset(known: nil))
      case .ready(let state): return state
      case .ended: return nil
      case .busy: await standInLine()
      }
    }
  }

  private func standInLine() async {
    let wait = OneShot<Void>()
    let isFree = phase.withLock { phase in
      guard case .busy(let line) = phase else { return true }
      phase = .busy(line + [wait])
      return false
    }
    if !isFree { await wait.outcome() }
  }

  /// Gives the state back; nil ends the run.
  private func put(_ state: PollState?) {
    let line = phase.withLock { phase -> [OneShot<Void>] in
      defer { phase = state.map(Phase.ready) ?? .ended }
      if case .busy(let line) = phase { return line }
      return []
    }
    for wait in line { wait.resolve(()) }
  }
}

extension PollSchedule {
  /// What is to be done about a failure: the schedule's advice, and the error's.
  fileprivate func advice(on error: any Error) -> RetryAdvice {
    let own = (error as? any RetryAdvising)?.retryAdvice
    guard own?.kind != .permanent else { return .permanent }
    return advice(error) ?? own ?? .retry
  }
}

extension Result {
  fileprivate var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
