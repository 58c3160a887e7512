/// When a timer ticks: the grid, the policy for missed ticks, and the life of a timer.
package struct TickState: PacedState {
  package typealias Output = Tick

  package private(set) var phase = DispatchTimer.State.idle
  private var period: Nanoseconds
  private let first: FirstTick
  private let missed: MissedTicks
  private var left: Int

  /// The next tick of the grid: its number, its deadline, and how many were passed over before it.
  private var index = 0
  private var next = PacingInstant.distantFuture
  private var passedOver = 0
  /// The instant at which a tick beside the grid was asked for.
  private var extra: PacingInstant?

  /// Makes an idle timer's state.
  package init(_ schedule: TickSchedule) {
    period = schedule.period
    first = schedule.first
    missed = schedule.missed
    left = schedule.count ?? .max
  }

  /// The deadline on the grid, `distantFuture` unless the timer runs.
  package var nextOnGrid: PacingInstant { phase == .running ? next : .distantFuture }

  package var deadline: PacingInstant { min(extra ?? .distantFuture, nextOnGrid) }

  package var isFinished: Bool { phase == .finished }

  package var outlivesItsTool: Bool { false }

  // MARK: Verbs

  /// Begins with the first tick, or goes on from a suspension; false in any other phase.
  package mutating func start(at now: PacingInstant) -> Bool {
    guard phase == .idle else { return resume(at: now) }
    phase = .running
    next = first.deadline(startingAt: now, period: period)
    return true
  }

  /// Stops ticking: suspended time has no periods.
  package mutating func suspend() -> Bool {
    guard phase == .running else { return false }
    phase = .suspended
    return true
  }

  /// Goes on: the next tick comes a full period from now.
  package mutating func resume(at now: PacingInstant) -> Bool {
    guard phase == .suspended else { return false }
    phase = .running
    next = now + period
    return true
  }

  /// Takes another period; a running timer's next tick comes one such period from now.
  package mutating func reschedule(every newPeriod: Nanoseconds, at now: PacingInstant) -> Bool {
    guard !isFinished else { return false }
    period = newPeriod
    if phase == .running { next = now + period }
    return true
  }

  /// Begins the grid anew with the next tick at `instant`; false unless the timer runs.
  package mutating func reset(nextAt instant: PacingInstant) -> Bool {
    guard phase == .running else { return false }
    next = instant
    return true
  }

  /// Asks for a tick beside the grid, which stays as it is.
  package mutating func fireNow(at now: PacingInstant) -> Bool {
    guard !isFinished else { return false }
    extra = extra ?? now
    return true
  }

  package mutating func cancel() -> Tick? {
    phase = .finished
    extra = nil
    return nil
  }

  // MARK: Ticks

  package mutating func due(at now: PacingInstant) -> Tick? {
    // The earlier of the two first; on a tie the grid's.
    if let asked = extra, asked < nextOnGrid {
      extra = nil
      return handOut(scheduled: asked, at: now)
    }
    // How many deadlines after the next one have come as well: that many ticks are missed.
    let overdue = Int(clamping: (now - next) / period)
    switch missed.policy {
    case .skip:
      let tick = handOut(scheduled: next, at: now)
      next = next + period
      passOver(overdue)
      return tick
    case .coalesce:
      return handOutNewest(of: overdue, limit: 1, at: now)
    case .burst(let limit):
      return handOutNewest(of: overdue, limit: limit, at: now)
    case .delay:
      let tick = handOut(scheduled: next, at: now)
      next = (overdue > 0 ? now : next) + period
      return tick
    }
  }

  /// Passes over all but the newest `limit` of the ticks that are due, and hands out the first left.
  private mutating func handOutNewest(of overdue: Int, limit: Int, at now: PacingInstant) -> Tick {
    passOver(Swift.max(0, overdue - (limit - 1)))
    let tick = handOut(scheduled: next, at: now)
    next = next + period
    return tick
  }

  /// Takes that many ticks off the grid; the numbers saturate before they could overflow.
  private mutating func passOver(_ skipped: Int) {
    index = index.adding(skipped)
    passedOver = passedOver.adding(skipped)
    next = next + period.multiplied(by: Int64(skipped))
  }

  private mutating func handOut(scheduled: PacingInstant, at now: PacingInstant) -> Tick {
    let tick = Tick(index: index, scheduled: scheduled, actual: now, missed: passedOver)
    index = index.adding(1)
    passedOver = 0
    left -= 1
    if left == 0 {
      phase = .finished
      extra = nil
    }
    return tick
  }

  /// A tick that replaces another in a mailbox counts it, and what that one had counted, as missed.
  package static func merge(_ older: Tick, into newer: Tick) -> Tick {
    Tick(
      index: newer.index, scheduled: newer.scheduled, actual: newer.actual,
      missed: newer.missed.adding(1).adding(older.missed))
  }

  /// A latecomer has missed nothing of what came before.
  package static func first(_ tick: Tick) -> Tick {
    Tick(index: tick.index, scheduled: tick.scheduled, actual: tick.actual, missed: 0)
  }
}
