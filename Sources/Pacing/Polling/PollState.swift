/// When the next poll is due, as a pure value: a timer's ticks, put off by failures and hints.
///
/// One poll runs at a time: `due` begins it, `refuse` puts it off or `finish` judges it, and `rest`
/// comes after its handler. The other verbs are those of `Poller`.
package struct PollState: PacedState {
  /// What follows a poll.
  ///
  /// It is computed outside the lock, since a backoff may be a user's closure.
  package struct Step: Sendable {
    fileprivate var delays: BackoffDelays
    package fileprivate(set) var failures = 0
    /// The least time until the next poll.
    fileprivate var wait: Nanoseconds = 0
    /// How long the server wants no poll at all, not even one that is asked for.
    fileprivate var hold: Nanoseconds = 0
    fileprivate var end: GiveUp.Reason?
  }

  /// What of a server's hint counts at most.
  private let longestHold: Nanoseconds
  private var ticks: TickState
  private var delays: BackoffDelays
  /// When a poll in addition to the grid was asked for; `distantFuture` if none was.
  private var asked = PacingInstant.distantFuture
  /// The end of the server's last hint, and of the last backoff or hint.
  private var heldUntil = PacingInstant.distantPast
  private var notBefore = PacingInstant.distantPast
  /// Whether a poll runs, or the handler of its result.
  private var isBusy = false

  /// How many polls have failed in a row.
  package private(set) var failures = 0
  package private(set) var end: GiveUp.Reason?

  package init(_ schedule: PollSchedule) {
    longestHold = Nanoseconds(wait: schedule.maximumHint)
    ticks = TickState(schedule.ticks, hasHandler: true)
    delays = BackoffDelays(schedule.backoff)
  }

  package var nextPoll: PacingInstant { min(max(asked, heldUntil), ticks.nextOnGrid) }

  /// When the next poll is due, unless one has yet to end.
  package var deadline: PacingInstant { isBusy ? .distantFuture : nextPoll }

  package var isFinished: Bool { end != nil }
  package var outlivesItsTool: Bool { false }

  package var phase: DispatchTimer.State {
    end == nil ? ticks.phase : isBusy ? .running : .finished
  }

  package var wallOffset: Nanoseconds? { ticks.wallOffset }

  package mutating func start(at now: PacingInstant) -> Bool {
    guard ticks.start(at: now) else { return false }
    notBefore = heldUntil
    postpone(to: heldUntil)
    return true
  }

  package mutating func suspend(at now: PacingInstant) -> Bool {
    ticks.suspend(keepingRemaining: false, at: now)
  }

  package mutating func resume(pollingNow: Bool, at now: PacingInstant) -> Bool {
    guard ticks.phase == .suspended, start(at: now) else { return false }
    if pollingNow { asked = min(asked, now) }
    return true
  }

  package mutating func reschedule(every newPeriod: Nanoseconds, at now: PacingInstant) -> Bool {
    guard ticks.reschedule(every: newPeriod, at: now) else { return false }
    postpone(to: notBefore)
    return true
  }

  package mutating func pollNow(at now: PacingInstant) -> Bool {
    guard end == nil else { return false }
    asked = min(asked, now)
    return true
  }

  package mutating func finish(_ reason: GiveUp.Reason) -> Bool {
    guard end == nil else { return false }
    end = reason
    asked = .distantFuture
    _ = ticks.cancel()
    return true
  }

  package mutating func cancel() -> Tick? {
    _ = finish(.cancelled)
    isBusy = false
    return nil
  }

  package mutating func follow(_ offset: Nanoseconds, at now: PacingInstant) {
    ticks.follow(offset, at: now)
    postpone(to: notBefore)
  }

  package mutating func due(at now: PacingInstant) -> Tick? {
    guard nextPoll <= now else { return nil }
    // One poll serves both if the grid's is due as well.
    if now < ticks.nextOnGrid { _ = ticks.fireNow(at: nextPoll) }
    asked = .distantFuture
    let tick = ticks.due(at: now)
    isBusy = tick != nil
    return tick
  }

  /// Notes that the poll and the handler of its result have ended; whether the polling has, too.
  package mutating func rest() -> Bool {
    isBusy = false
    return isFinished
  }

  /// Notes that a limit refused the poll of a tick: the next one counts it as missed.
  package mutating func refuse(_ tick: Tick, at now: PacingInstant) {
    ticks.miss(tick)
    passOver(before: now)
  }

  /// What follows a poll, for `finish(_:at:)`; `advice` is that of the error or of the judgement:
  /// for a success, after which time the server wants the next poll.
  package func step(ifFailed isFailure: Bool, advice: RetryAdvice?) -> Step {
    let hold = min(advice?.hint ?? 0, longestHold)
    var step = Step(delays: delays, wait: hold, hold: hold)
    guard isFailure else {
      step.delays.reset()
      return step
    }
    step.failures = failures.adding(1)
    if advice?.isPermanent == true {
      step.end = .permanent
    } else if let delay = step.delays.nextDelay() {
      step.wait = max(delay, hold)
    } else {
      step.end = .exhausted
    }
    return step
  }

  /// Notes the end of a poll, and what follows it.
  package mutating func finish(_ step: Step, at now: PacingInstant) {
    delays = step.delays
    failures = step.failures
    if let reason = step.end {
      _ = finish(reason)
      return
    }
    passOver(before: now)
    heldUntil = now + step.hold
    notBefore = now + step.wait
    // A backoff of zero puts nothing off: the grid stays.
    if step.wait > 0 { postpone(to: notBefore) }
  }

  /// Takes the ticks that came before `now` off the grid; one that is due just now stays.
  private mutating func passOver(before now: PacingInstant) {
    _ = ticks.passOver(at: now - 1)
  }

  /// Restarts the grid at an instant, if that is later than its next tick.
  private mutating func postpone(to instant: PacingInstant) {
    if ticks.phase == .running, instant > ticks.nextOnGrid { ticks.postpone(to: instant) }
  }
}
