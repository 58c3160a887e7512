/// The shell of a poller: a `PollState` decides when, and each poll is a task of its own.
final class PollPacer<Success: Sendable>: Pacer<PollState>, @unchecked Sendable {
  /// What is polled, and how its results are judged.
  struct Request: Sendable {
    let judging: @Sendable (Success) -> RetryAdvice?
    let operation: @Sendable () async throws -> Success

    func answer(
      advice: (any Error) -> RetryAdvice?
    ) async -> (Result<Success, any Error>, PollState.Verdict) {
      do {
        let success = try await operation()
        let advice = judging(success)
        guard let advice, advice.hint == nil else {
          return (.success(success), .success(hint: advice?.hint))
        }
        return (.success(success), .failure(advice))
      } catch {
        return (.failure(error), .failure(.on(error, asking: advice)))
      }
    }
  }

  let results: Pacer<PollResultState<Success>>
  private let schedule: PollSchedule
  private let running = Locked<Task<Void, Never>?>(nil)
  /// Follows the wall clock, if the schedule does.
  private var watch: WallClockWatch?

  init(_ schedule: PollSchedule, service: TimerService, _ request: Request) {
    self.schedule = schedule
    results = Pacer(PollResultState(), service: service)
    super.init(PollState(schedule), service: service)
    // The end of the polling releases the handler, and all that it captures.
    attach(Handler(Callback(on: .shared) { tick in self.begin(tick, request) }))
    guard schedule.ticks.first.followsWallClock else { return }
    watch = WallClockWatch(in: service) { [weak self] in self?.followWallClock() ?? false }
  }

  // MARK: Verbs

  /// Starts or resumes, in step with the wall clock.
  func begin(_ start: (inout PollState, PacingInstant) -> Bool) -> Bool {
    let hasBegun = update { state, now in
      if watch != nil { state.follow(service.wallOffset(known: state.wallOffset), at: now) }
      return start(&state, now)
    }
    if hasBegun { watch?.start() }
    return hasBegun
  }

  /// Ends the polling: no poll and no handler begins any more.
  ///
  /// - Returns: Whether this ended it.
  func end() -> Bool {
    var isFirst = false
    let ticks = withdrawAll(where: nil) { (state: inout PollState) in
      isFirst = state.phase != .finished
      return state.cancelAll()
    }
    let withdrawn = results.withdrawAll(where: nil) { (state: inout PollResultState<Success>) in
      state.finish()
      return state.cancelAll()
    }
    watch?.stop()
    running.withLock { $0 }?.cancel()
    withExtendedLifetime((ticks, withdrawn)) {}
    return isFirst
  }

  /// Waits until a poll that is running and the handler of its result have ended.
  func waitForEnd() async {
    guard let task = running.withLock({ $0 }) else { return }
    guard let manual = service.manual else { return await task.value }
    await manual.end(of: task)
  }

  /// Moves the grid with the wall clock; false if it does not poll.
  private func followWallClock() -> Bool {
    update { state, now in
      guard state.phase == .running else { return false }
      state.follow(service.wallOffset(known: state.wallOffset), at: now)
      return true
    }
  }

  // MARK: Polls

  /// Begins a poll in a task; if time is manual, it polls inside `advance`.
  private func begin(_ tick: Tick, _ request: Request) {
    service.manual?.began()
    // Under the lock, so that cancelling a poll that has just begun finds its task.
    running.withLock { running in
      running = Task.detached(executorPreference: service.manual) { [self] in
        if let manual = service.manual {
          await manual.runToEnd { await poll(tick, request) }
        } else {
          await poll(tick, request)
        }
        await results.waitForHandler()
        let isOver = update { state, _ in
          state.rest()
          return state.isFinished
        }
        guard isOver else { return }
        results.update { state, _ in state.finish() }
        watch?.stop()
      }
    }
  }

  private func poll(_ tick: Tick, _ request: Request) async {
    var tick = tick
    // The owner of the results is gone.
    guard !results.isDeserted else { return update { state, _ in _ = state.finish(.cancelled) } }
    if let limit = schedule.limit {
      do {
        try await limit.acquire(1, within: nil)
      } catch {
        guard !Task.isCancelled else { return }
        return update { [tick] state, now in
          guard error as? AcquireError == .closed else { return state.refuse(tick, at: now) }
          _ = state.finish(.closed)
        }
      }
      tick = tick.taken(at: service.now)
    }
    guard update({ [tick] state, _ in state.note(tick) }) else { return }
    let (result, verdict) = await request.answer(advice: schedule.advice)
    guard !Task.isCancelled else { return }
    let step = read { $0 }.step(after: verdict)
    let failures = update { state, now in
      state.finish(step, at: now)
      return state.failures
    }
    results.update { [tick] state, _ in
      state.take(PollResult(tick: tick, result: result, failures: failures))
    }
  }
}

/// A poller's newest result, which is due at once.
struct PollResultState<Success: Sendable>: PacedState {
  private var pending: PollResult<Success>?
  private(set) var isFinished = false

  var deadline: PacingInstant { pending == nil ? .distantFuture : .distantPast }
  var outlivesItsTool: Bool { false }

  mutating func take(_ result: PollResult<Success>) {
    if !isFinished { pending = result }
  }

  mutating func due(at now: PacingInstant) -> PollResult<Success>? { pending.take() }

  mutating func cancel() -> PollResult<Success>? { pending.take() }

  mutating func finish() { isFinished = true }
}

extension Tick {
  /// The tick of a poll that began at an instant, later than it was due.
  fileprivate func taken(at instant: PacingInstant) -> Tick {
    Tick(
      index: index, scheduled: scheduled, actual: instant, missed: missed, remaining: remaining)
  }
}
