/// The lock and the timer around a `PollState`, and the wait for the next poll.
///
/// One task at a time waits and polls; any thread may change the state meanwhile. The timer is
/// armed only while the task waits, so nothing is polled ahead of a slow consumer.
final class PollCore: TimerTarget {
  private struct Contents {
    var state: PollState
    var timer = TimerEntry()
    /// The wait of the task that polls.
    var wait: OneShot<Void>?
    /// A tick that fell due while the task waited, and that it has not taken yet.
    var decided: Tick?
    /// Ended from outside.
    var isClosed = false
    /// Ended by itself, with its last handler.
    var isOver = false
  }

  let schedule: PollSchedule
  let service: TimerService
  private let contents: Locked<Contents>

  init(_ schedule: PollSchedule, service: TimerService) {
    self.schedule = schedule
    self.service = service
    contents = Locked(Contents(state: PollState(schedule)))
  }

  // MARK: From outside

  /// Asks the state.
  func read<Result: Sendable>(_ query: (PollState) -> Result) -> Result {
    contents.withLock { query($0.state) }
  }

  /// Decides what is due, changes the state, and lets the task that waits see it.
  @discardableResult
  func change(_ body: (inout PollState, PacingInstant) -> Bool) -> Bool {
    perform { contents, now in
      decide(&contents, at: now)
      return body(&contents.state, now)
    }
  }

  /// Ends the polling from outside: what is due is withdrawn, and no handler begins any more.
  ///
  /// - Returns: Whether this ended it.
  func close() -> Bool {
    perform { contents, _ in
      defer { contents.isClosed = true }
      _ = contents.state.finish(.cancelled)
      contents.decided = nil
      return !contents.isClosed && !contents.isOver
    }
  }

  /// Notes that the last handler has ended; if nothing else ended the polling, its owner is gone.
  func noteOver() {
    contents.withLock { contents in
      _ = contents.state.finish(.cancelled)
      contents.isOver = true
    }
  }

  /// Whether it has ended, by itself with its last handler or from outside.
  var isOver: Bool { contents.withLock { $0.isClosed || $0.isOver } }

  /// Whether a handler may begin.
  var isOpen: Bool { contents.withLock { !$0.isClosed } }

  // MARK: The task that polls

  /// Waits until a poll is due, and takes its tick; nil at the end.
  func nextTick() async -> Tick? {
    while true {
      if Task.isCancelled { change { state, _ in state.finish(.cancelled) } }
      var wait: OneShot<Void>?
      var tick: Tick?
      perform { contents, now in
        guard contents.state.end == nil else { return false }
        tick = contents.decided.take() ?? contents.state.begin(at: now)
        guard tick == nil else { return true }
        // A wait that no time ends is none of the clock's.
        let isTimed = contents.state.deadline != .distantFuture
        wait = OneShot(countedBy: isTimed ? service : nil)
        contents.wait = wait
        return true
      }
      guard let wait else { return tick }
      await wait.outcome(ifCancelled: ())
    }
  }

  func wake(_ handle: TimerService.Handle) {
    perform { contents, _ in
      contents.timer.fired(handle)
      return true
    }
  }

  // MARK: Under the lock

  /// Runs `body` under the lock, decides what is due, sets the timer, and ends the wait that is
  /// over.
  @discardableResult
  private func perform(_ body: (inout Contents, PacingInstant) -> Bool) -> Bool {
    let (result, over, mustArm) = contents.withLock {
      contents -> (Bool, OneShot<Void>?, Bool) in
      let now = service.now
      if schedule.ticks.first.followsWallClock {
        contents.state.follow(service.wallOffset(known: contents.state.wallOffset), at: now)
      }
      let result = body(&contents, now)
      decide(&contents, at: now)
      let isOver = contents.decided != nil || contents.state.end != nil
      let over = isOver ? contents.wait.take() : nil
      let mustArm = contents.timer.set(
        wakeTime(contents, at: now), tolerance: 0, for: self, in: service)
      return (result, over, mustArm)
    }
    if mustArm { service.arm() }
    over?.resolve(())
    return result
  }

  /// Takes the tick that is due for the task that waits; the calls that come after it find it
  /// taken.
  private func decide(_ contents: inout Contents, at now: PacingInstant) {
    guard contents.wait != nil, contents.decided == nil else { return }
    contents.decided = contents.state.begin(at: now)
  }

  /// When the timer is needed: only while a task waits.
  private func wakeTime(_ contents: Contents, at now: PacingInstant) -> PacingInstant {
    guard contents.wait != nil else { return .distantFuture }
    let deadline = contents.state.deadline
    guard contents.state.followsWallClock else { return deadline }
    return min(deadline, now + WallClockWatch.interval)
  }
}

extension PollCore {
  /// Waits for the next poll and makes it; nil at the end, and if the results have no owner any
  /// more.
  func poll<Success: Sendable>(_ request: PollRequest<Success>) async -> PollResult<Success>? {
    while var tick = await nextTick() {
      guard request.isWanted() else { return nil }
      if let limit = schedule.limit {
        do {
          try await limit.acquire(1, within: nil)
        } catch let refusal as AcquireError {
          change { state, now in
            guard refusal != .closed else { return state.finish(.closed) }
            state.refuse(tick, at: now)
            return true
          }
          continue
        } catch {
          change { state, _ in state.finish(.cancelled) }
          return nil
        }
        tick = tick.taken(at: service.now)
      }
      guard !Task.isCancelled else { continue }
      change { [tick] state, _ in
        state.note(tick)
        return true
      }
      let (result, verdict) = await request.answer(advice: schedule.advice(on:))
      let isCancellation = result.error is CancellationError
      guard !Task.isCancelled, !isCancellation else {
        change { state, _ in state.finish(.cancelled) }
        return nil
      }
      let step = read { $0 }.step(after: verdict)
      change { state, now in
        state.finish(step, at: now)
        return true
      }
      return PollResult(tick: tick, result: result, failures: read { $0.failures })
    }
    return nil
  }
}

/// What is polled, and how its results are judged.
struct PollRequest<Success: Sendable>: Sendable {
  let judging: @Sendable (Success) -> RetryAdvice?
  /// Whether the handler of the results still has its owner.
  var isWanted: @Sendable () -> Bool = { true }
  let operation: @Sendable () async throws -> Success

  func answer(
    advice: (any Error) -> RetryAdvice
  ) async -> (Result<Success, any Error>, PollState.Verdict) {
    do {
      let success = try await operation()
      let advice = judging(success)
      guard let advice, advice.hint == nil else {
        return (.success(success), .success(hint: advice?.hint))
      }
      return (.success(success), .failure(advice))
    } catch {
      return (.failure(error), .failure(advice(error)))
    }
  }
}

extension PollSchedule {
  /// What is to be done about a failure: the schedule's advice, and the error's.
  fileprivate func advice(on error: any Error) -> RetryAdvice {
    .on(error, asking: advice)
  }
}

extension Tick {
  /// The tick of a poll that began at an instant, later than it was due.
  fileprivate func taken(at instant: PacingInstant) -> Tick {
    Tick(
      index: index, scheduled: scheduled, actual: instant, missed: missed, remaining: remaining)
  }
}

extension Result {
  fileprivate var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
