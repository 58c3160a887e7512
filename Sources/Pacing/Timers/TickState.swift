/// The state of a timer: its grid, the policy for missed ticks, and the stage of its life.
package struct TickState: PacedState {
  package typealias Output = Tick

  package private(set) var phase = DispatchTimer.State.idle
  private var hasHandler: Bool
  /// Whether the next tick is the first of the schedule.
  private var isBeforeFirst = true
  /// What few timers have: the others pay for a word.
  private var rare: Rare?
  private var period: Nanoseconds
  /// The number of ticks left to hand out; `Int.max` if there is no end.
  private var left: Int

  /// The next tick of the grid: its index, its deadline, and how many were passed over before it.
  private var index = 0
  private var next = PacingInstant.distantFuture
  private var passedOver = 0

  /// Without a handler only the newest tick of an instant is seen, and most of a long burst is
  /// passed over, so that it is decided at once.
  @inline(__always)
  package init(_ schedule: TickSchedule, hasHandler: Bool) {
    self.hasHandler = hasHandler
    period = schedule.period
    left = schedule.count ?? .max
    rare = schedule.isPlain ? nil : Rare(TickExtras(schedule))
  }

  /// The maximum of ticks of one instant that are decided one by one if they are merged anyway:
  /// fewer than the pacer decides under one hold of its lock, so that no call comes between them.
  private static var longestMerged: Int { 128 }

  private var first: FirstTick { rare?.extras.first ?? .afterPeriod }
  private var missed: MissedTicks { rare?.extras.missed ?? .skip }
  @inline(__always)
  private var scatter: Nanoseconds { rare?.extras.scatter ?? 0 }
  private var kept: Nanoseconds { rare?.extras.kept ?? .never }
  private var extra: PacingInstant { rare?.extras.extra ?? .distantFuture }

  /// The next deadline on the grid, `distantFuture` unless the timer runs.
  @inline(__always)
  package var nextOnGrid: PacingInstant { phase == .running ? next + scatter : .distantFuture }

  @inline(__always)
  package var deadline: PacingInstant {
    guard let rare else { return phase == .running ? next : .distantFuture }
    return min(rare.extras.extra, nextOnGrid)
  }

  package var isFinished: Bool { phase == .finished }

  package var remaining: Int? { left == .max ? nil : isFinished ? 0 : left }

  // MARK: Verbs, as of `DispatchTimer`; the result is whether they did anything

  package mutating func start(at now: PacingInstant) -> Bool {
    guard phase == .idle || phase == .suspended else { return false }
    phase = .running
    if kept == .never || first.isAligned {
      beginInterval(at: now)
    } else {
      next = now + kept.adding(scatter.negated)
    }
    return true
  }

  package mutating func resume(at now: PacingInstant) -> Bool {
    phase == .suspended && start(at: now)
  }

  package mutating func suspend(keepingRemaining: Bool, at now: PacingInstant) -> Bool {
    guard phase == .running else { return false }
    let kept = keepingRemaining ? max(0, nextOnGrid - now) : .never
    changeRare(if: keepingRemaining) { $0.kept = kept }
    phase = .suspended
    return true
  }

  package mutating func reschedule(every newPeriod: Nanoseconds, at now: PacingInstant) -> Bool {
    guard !isFinished else { return false }
    period = newPeriod
    changeRare { $0.kept = .never }
    if phase == .running {
      isBeforeFirst = false
      beginInterval(at: now)
    }
    return true
  }

  package mutating func reset(at now: PacingInstant) -> Bool {
    guard phase == .running else { return false }
    changeRare { $0.extra = .distantFuture }
    beginInterval(at: now)
    return true
  }

  package mutating func reset(nextAt instant: PacingInstant) -> Bool {
    guard phase == .running else { return false }
    next = instant
    changeRare { rare in
      rare.scatter = 0
      rare.extra = .distantFuture
      rare.isAtInstant = true
    }
    return true
  }

  /// Restarts the grid at an instant, or at the first full period from there if it is aligned;
  /// unlike `reset`, a step of the wall clock may fold it.
  package mutating func postpone(to instant: PacingInstant) {
    next = instant
    if first.isAligned {
      next = first.deadline(startingAt: instant, period: period, wallOffset: wallOffset ?? 0)
    }
    changeRare { $0.scatter = 0 }
  }

  package mutating func fireNow(at now: PacingInstant) -> Bool {
    guard !isFinished else { return false }
    changeRare(if: true) { $0.extra = min($0.extra, now) }
    return true
  }

  package mutating func cancel() -> Tick? {
    finish()
    return nil
  }

  package mutating func handlerWasAttached() { hasHandler = true }

  package mutating func dropped(_ tick: Tick, _ reason: DropReason) {
    // The owner of the handler is gone.
    if hasHandler, reason == .noConsumer { _ = cancel() }
  }

  /// Waits a whole interval from now: up to the first tick if there was none, else a period.
  private mutating func beginInterval(at now: PacingInstant) {
    next = now + period
    guard rare != nil else { return }
    scatterNext()
    guard isBeforeFirst || first.isAligned else { return }
    // A full period that has had its tick does not count again.
    next = first.deadline(
      startingAt: isBeforeFirst ? now : now + 1, period: period, wallOffset: wallOffset ?? 0)
  }

  /// Draws the jitter of the next tick, shorter than the period even if that has changed.
  private mutating func scatterNext() {
    let longest = period - 1
    changeRare { rare in
      rare.isAtInstant = false
      let jitter = min(rare.jitter, longest)
      rare.scatter = jitter > 0 ? .random(in: 0...jitter, using: &rare.random) : 0
    }
  }

  private mutating func finish() {
    phase = .finished
    changeRare { $0.extra = .distantFuture }
  }

  /// Changes what few timers have; makes it before if the change `needs` it.
  @inline(__always)
  private mutating func changeRare(if needs: Bool = false, _ change: (inout TickExtras) -> Void) {
    guard needs || rare != nil else { return }
    if !isKnownUniquelyReferenced(&rare) { rare = Rare(rare?.extras ?? TickExtras()) }
    change(&rare!.extras)
  }

  // MARK: Ticks

  package mutating func due(at now: PacingInstant) -> Tick? {
    // The earlier of the two first; on a tie the grid's.
    let extra = extra
    if extra < nextOnGrid {
      changeRare { $0.extra = .distantFuture }
      return handOut(scheduled: extra, at: now)
    }
    // The deadlines after the next one that have come as well: as many ticks are missed.
    let overdue = max(0, dueCount(at: now) - 1)
    switch missed {
    case .skip:
      return handOutLast(at: now)
    case .burst(let limit):
      passOver(max(0, overdue - (limit - 1)))
      if !hasHandler {
        let merged = max(0, min(limit, overdue.adding(1), left) - Self.longestMerged)
        passOver(merged)
        countDown(by: merged)
      }
      return limit == 1 ? handOutLast(at: now) : handOutNext(at: now)
    case .delay:
      let tick = handOutNext(at: now)
      if overdue > 0 || nextOnGrid <= now { beginInterval(at: now) }
      return tick
    }
  }

  /// Passes over the ticks that are due, while the handler runs and drops what it does not receive.
  package mutating func passOver(at now: PacingInstant) -> Bool {
    if extra <= now {
      changeRare { $0.extra = .distantFuture }
      index = index.adding(1)
      passedOver = passedOver.adding(1)
    }
    guard nextOnGrid <= now else { return true }
    isBeforeFirst = false
    passOver(dueCount(at: now))
    return true
  }

  /// Counts a tick as missed after all, with those that it had counted.
  package mutating func miss(_ tick: Tick) {
    passedOver = passedOver.adding(tick.missed).adding(1)
  }

  /// The number of deadlines of the grid that have come.
  private func dueCount(at now: PacingInstant) -> Int {
    guard nextOnGrid <= now else { return 0 }
    return period == 0 ? 1 : Int(clamping: (now - nextOnGrid) / period).adding(1)
  }

  /// Takes that many steps off the grid; the numbers saturate before they could overflow.
  private mutating func passOver(_ steps: Int) {
    index = index.adding(steps)
    passedOver = passedOver.adding(steps)
    next = next + period.multiplied(by: Int64(steps))
    if steps > 0 { changeRare { $0.isAtInstant = false } }
  }

  /// Hands out the next tick, and passes over all others that are due, also by the next jitter.
  private mutating func handOutLast(at now: PacingInstant) -> Tick {
    let tick = handOutNext(at: now)
    passOver(dueCount(at: now))
    return tick
  }

  /// Hands out the next tick of the grid and moves on to the one after it.
  private mutating func handOutNext(at now: PacingInstant) -> Tick {
    let tick = handOut(scheduled: next, at: now)
    isBeforeFirst = false
    next = next + period
    scatterNext()
    return tick
  }

  private mutating func handOut(scheduled: PacingInstant, at now: PacingInstant) -> Tick {
    countDown(by: 1)
    let tick = Tick(
      index: index, scheduled: scheduled, actual: now, missed: passedOver, remaining: remaining)
    index = index.adding(1)
    passedOver = 0
    if left == 0 { finish() }
    return tick
  }

  private mutating func countDown(by steps: Int) { if left != .max { left -= steps } }

  // MARK: The wall clock

  /// The wall time at the clock's origin, if the timer follows the wall clock.
  package var wallOffset: Nanoseconds? { rare?.extras.wallOffset }

  /// Moves the grid with the wall clock, which shows `offset` at the origin of the timer's clock.
  package mutating func follow(_ offset: Nanoseconds, at now: PacingInstant) {
    let step = offset.adding((wallOffset ?? offset).negated)
    changeRare { $0.wallOffset = offset }
    guard phase == .running, step != 0 else { return }
    next = next - step
    // A clock that was set back passes the same full periods again, but no instant comes early that
    // was asked for.
    let (ahead, isAtInstant) = (next - now, rare?.extras.isAtInstant ?? false)
    if !isAtInstant, ahead > period, first.isAligned || !isBeforeFirst {
      next = now + ahead.remainder(dividingBy: period)
    }
  }

  // MARK: In a mailbox

  /// A tick that replaces another counts it as missed, and all that it had counted.
  package static func merge(_ older: Tick, into newer: Tick) -> Tick {
    changing(newer) { $0.missed = $0.missed.adding(1).adding(older.missed) }
  }

  package static var mailboxRule: MailboxRule<Tick> {
    changing(MailboxRule { merge($0, into: $1) }) { rule in
      // The first tick of a late subscription has missed nothing.
      rule.first = { changing($0) { $0.missed = 0 } }
    }
  }
}

/// The settings and the state that only some timers need.
private struct TickExtras: Sendable {
  var first = FirstTick.afterPeriod
  var missed = MissedTicks.skip
  var jitter: Nanoseconds = 0

  var random = SplitMix64(seed: 0)
  /// The jitter of the next tick.
  var scatter: Nanoseconds = 0
  /// The rest of the interval at the suspension; `never` if it was not to be kept.
  var kept = Nanoseconds.never
  /// The instant at which a tick outside the grid was asked for; `distantFuture` if none was.
  var extra = PacingInstant.distantFuture
  /// Whether the next tick of the grid is at an instant that was asked for.
  var isAtInstant = false
  var wallOffset: Nanoseconds?

  init() {}

  init(_ schedule: TickSchedule) {
    first = schedule.first
    missed = schedule.missed
    jitter = schedule.jitter
    if jitter > 0 { random = SplitMix64(seed: schedule.seed ?? .random(in: .min ... .max)) }
  }
}

/// Extras behind a reference, which is replaced by a copy before it changes if it is shared.
private final class Rare: @unchecked Sendable {
  // Changed only through a unique reference.
  var extras: TickExtras

  init(_ extras: TickExtras) { self.extras = extras }
}
