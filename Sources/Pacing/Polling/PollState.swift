/// When the next poll is due, as a pure value: a timer's ticks, put off by failures and hints.
package struct PollState: Sendable {
  private let schedule: PollSchedule
  private var ticks: TickState
  private var delays: BackoffDelays
  /// The tick that stands for those which were passed over while a poll ran.
  private var passedOver: Tick?

  /// When the next poll begins.
  package var deadline: PacingInstant { ticks.nextOnGrid }

  /// How many polls have failed in a row.
  package private(set) var failures = 0

  /// Begins at `start`, on a clock at whose origin the wall clock shows `wallOffset`.
  package init(
    _ schedule: PollSchedule, start: PacingInstant, wallOffset: @autoclosure () -> Nanoseconds = 0
  ) {
    self.schedule = schedule
    ticks = TickState(schedule.ticks, hasHandler: true)
    delays = BackoffDelays(schedule.backoff)
    if schedule.ticks.first.followsWallClock { ticks.follow(wallOffset(), at: start) }
    _ = ticks.start(at: start)
  }

  /// Takes the tick that is due.
  package mutating func begin(at now: PacingInstant) -> Tick? {
    let tick = ticks.due(at: now)
    defer { passedOver = nil }
    return tick.map { tick in passedOver.map { TickState.merge($0, into: tick) } ?? tick }
  }

  /// Notes a success, and how long the server wants to be left alone.
  ///
  /// - Returns: Whether there is a next poll.
  package mutating func succeeded(hint: Nanoseconds? = nil, at now: PacingInstant) -> Bool {
    failures = 0
    delays.reset()
    return proceed(atLeast: 0, hint: hint, at: now)
  }

  /// Notes a failure.
  ///
  /// - Returns: Whether there is a next poll.
  package mutating func failed(advice: RetryAdvice, at now: PacingInstant) -> Bool {
    failures = failures.adding(1)
    guard advice.kind != .permanent, let delay = delays.nextDelay() else { return false }
    if advice.hint != nil, schedule.hints.resetsBackoff { delays.reset() }
    return proceed(atLeast: delay, hint: advice.hint, at: now)
  }

  private mutating func proceed(
    atLeast delay: Nanoseconds, hint: Nanoseconds?, at now: PacingInstant
  ) -> Bool {
    let wait = hint.map { schedule.hints.delay(hint: $0, backoff: delay) } ?? delay
    guard let wait else { return false }
    passOver(before: now)
    // A backoff of zero puts nothing off: the grid stays.
    if wait > 0, now + wait > ticks.nextOnGrid { _ = ticks.reset(nextAt: now + wait) }
    return true
  }

  /// Takes the ticks that came before `now` off the grid; one that is due just now stays.
  private mutating func passOver(before now: PacingInstant) {
    guard ticks.nextOnGrid < now else { return }
    passedOver = ticks.due(at: now + -1)
  }
}
