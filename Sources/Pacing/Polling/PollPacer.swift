/// The shell of a poller: a `PollState` decides when, each poll is a task of its own, and a
/// debouncer without a quiet period delivers the results.
final class PollPacer<Success: Sendable>: Pacer<PollState>, @unchecked Sendable {
  let results: Debouncer<PollResult<Success>>
  private let limit: (any AwaitableLimit)?
  private let running = Locked<Task<Void, Never>?>(nil)
  private var watch: WallClockWatch?

  init(
    _ schedule: PollSchedule, clock: any Clock<Duration>,
    judging: @escaping @Sendable (Success) -> RetryAdvice?,
    _ operation: @escaping @Sendable () async throws -> Success
  ) {
    limit = schedule.limit
    results = Debouncer(for: .zero, clock: clock)
    super.init(PollState(schedule), service: clock.service)
    // The end of the polling releases the handler, and all that it captures.
    attach(
      Handler(
        Callback(on: .shared) { tick in
          self.begin { await self.poll(tick, judging: judging, operation) }
        }))
    guard schedule.ticks.first.followsWallClock else { return }
    watch = WallClockWatch(in: service) { [weak self] in self?.followWallClock() ?? false }
  }

  /// Starts or resumes, in step with the wall clock.
  func begin(_ start: (inout PollState, PacingInstant) -> Bool) -> Bool {
    let hasBegun = update { state, now in
      if watch != nil { state.follow(service.wallOffset(known: state.wallOffset), at: now) }
      return start(&state, now)
    }
    if hasBegun { watch?.start() }
    return hasBegun
  }

  /// Ends the polling: no poll and no handler begins any more; returns whether this ended it.
  func end() -> Bool {
    var isFirst = false
    _ = withdraw { state in
      isFirst = state.phase != .finished
      return state.cancel()
    }
    // In this order: no result comes after those that are withdrawn.
    results.finish()
    _ = results.cancel()
    watch?.stop()
    running.withLock { $0 }?.cancel()
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

  /// Begins a poll in a task; if time is manual, it polls inside `advance`.
  private func begin(_ poll: @escaping @Sendable () async -> Void) {
    // Under the lock, so that the end of the polling finds the task, or comes before it.
    running.withLock { running in
      guard read({ $0.state.phase != .finished }) else { return }
      service.manual?.began()
      running = Task.detached(executorPreference: service.manual) { [self] in
        if let manual = service.manual {
          await manual.runToEnd(poll)
        } else {
          await poll()
        }
        await results.pacer.waitForHandler()
        guard update({ state, _ in state.rest() }) else { return }
        results.finish()
        watch?.stop()
      }
    }
  }

  private func poll(
    _ tick: Tick, judging: (Success) -> RetryAdvice?, _ operation: () async throws -> Success
  ) async {
    var tick = tick
    // Ends the polling if the owner of the results is gone.
    func isLeft() -> Bool {
      results.pacer.isDeserted && update { state, _ in state.finish(.cancelled) }
    }
    guard !Task.isCancelled, !isLeft() else { return }
    if let limit {
      do {
        let spent = try await limit.acquire(1, within: nil)
        if isLeft() { (spent as? any Refundable)?.cancel() }
      } catch {
        guard !Task.isCancelled else { return }
        return update { state, now in
          guard error as? AcquireError == .closed else { return state.refuse(tick, at: now) }
          _ = state.finish(.closed)
        }
      }
      tick.actual = service.now
    }
    guard read({ $0.state.end == nil }) else { return }
    let result: Result<Success, any Error>
    let advice: RetryAdvice?
    var isFailure = true
    do {
      let success = try await operation()
      result = .success(success)
      advice = judging(success)
      // A result after which the server wants no poll for a time is a success.
      if advice == nil || advice?.hint != nil { isFailure = false }
    } catch {
      result = .failure(error)
      advice = (error as? any RetryAdvising)?.retryAdvice ?? .retry
    }
    guard !Task.isCancelled else { return }
    let step = read { $0.state }.step(ifFailed: isFailure, advice: advice)
    update { $0.finish(step, at: $1) }
    results.send(PollResult(tick: tick, result: result, failures: step.failures))
  }
}
