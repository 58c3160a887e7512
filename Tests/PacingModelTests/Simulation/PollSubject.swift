import Pacing
import PacingTesting
import TestSupport

/// A poller against a walk along the grid of its ticks.
///
/// Polls take time, and some fail.
final class PollSubject: Subject {
  private enum Phase { case waiting, polling, over }

  private struct Failure: Error {}

  /// The outcome of a poll, by its number.
  private enum Outcome {
    case success, failure, judgedFailure, hint, permanent

    init(_ number: Int) {
      self =
        switch number % 60 {
        case 59: .permanent
        case let rest where rest % 7 == 3: .failure
        case let rest where rest % 7 == 4: .judgedFailure
        case let rest where rest % 7 == 6: .hint
        default: .success
        }
    }

    var advice: RetryAdvice? {
      switch self {
      case .success, .failure: nil
      case .judgedFailure: .retry
      case .hint: .retry(after: .milliseconds(PollSubject.hint))
      case .permanent: .permanent
      }
    }
  }

  /// The lane of ends of polls.
  private static let ends = -1
  private static let over = -1
  private static let hint = 9
  private static let cap = 40

  private var period: Int
  private let first: Int
  private let base: Int
  private let maximumFailures: Int
  private let turns = Turns()
  private var poller: Poller<Int>?
  private var phase = Phase.waiting
  private var isCancelled = false
  private var isLast = false
  /// The next point of the grid, the index of its tick, and the number missed before it.
  private var next: Int
  private var index = 0
  private var missed = 0
  /// The tick of the running poll.
  private var tick = (index: 0, scheduled: 0, missed: 0)
  private var failures = 0
  private var polls = 0
  private var isSuspended = false
  private var isBeforeFirst = true
  /// The time of a requested poll, and until when a hint or a backoff holds.
  private var asked: Int?
  private var heldUntil = 0
  private var notBefore = 0

  init(_ scene: Scene, _ random: inout SplitMix64) {
    let clock = scene.clock
    first = Bool.random(using: &random) ? Int.random(in: 0...20, using: &random) : 0
    period = Int.random(in: 1...20, using: &random)
    base = Int.random(in: 0...20, using: &random)
    maximumFailures = Bool.random(using: &random) ? .random(in: 1...3, using: &random) : .max
    next = clock.now.milliseconds + first
    super.init(scene)
    let schedule = PollSchedule(
      every: .milliseconds(period), first: .after(.milliseconds(first)),
      slowing: .doubling(from: base, cap: Self.cap, count: maximumFailures))
    let counter = Counter()
    let operation: @Sendable () async throws -> Int = { [journal, turns] in
      let number = counter.add() - 1
      journal.note(number)
      await turns.wait()
      if case .failure = Outcome(number) { throw Failure() }
      return number
    }
    let judging: @Sendable (Int) -> RetryAdvice? = { Outcome($0).advice }
    let note: @Sendable (PollResult<Int>) -> Void = { [journal] in
      journal.note(
        Self.number($0.tick.index, $0.tick.scheduled.milliseconds, $0.tick.missed, $0.failures)
          &+ ($0.value ?? Self.over), lane: Self.ends)
    }
    poller = .scheduled(schedule, clock: clock, judging: judging, operation, handler: note)
    clock.runReady()
    settle(at: now)
  }

  private static func number(_ parts: Int...) -> Int { parts.reduce(0) { $0 &* 10_007 &+ $1 } }

  // MARK: The oracle

  private var gridDue: Int { isSuspended ? .max : next }
  private var askedDue: Int { asked.map { max($0, heldUntil) } ?? .max }

  override var dueTime: Int? {
    let due = min(gridDue, askedDue)
    return phase == .waiting && due < .max ? due : nil
  }

  override func settle(at time: Int) {
    guard phase == .waiting, min(gridDue, askedDue) <= time else { return }
    phase = .polling
    if gridDue <= time {
      tick = (index, next, missed)
      next += period
      isBeforeFirst = false
    } else {
      tick = (index, askedDue, missed)
    }
    (index, missed) = (index + 1, 0)
    asked = nil
    while !isSuspended, next <= time { passOver() }
    expect(polls, at: time)
    polls += 1
  }

  private func passOver() {
    next += period
    index += 1
    missed += 1
    isBeforeFirst = false
  }

  /// Postpones the grid, unless its next point is later anyway.
  private func postpone(to time: Int) {
    if !isSuspended { next = max(next, time) }
  }

  /// Ends a poll.
  private func pollEnded() {
    let number = polls - 1
    let outcome = Outcome(number)
    var wait = outcome == .hint ? Self.hint : 0
    switch outcome {
    case .success, .hint: failures = 0
    case .failure, .judgedFailure, .permanent:
      failures += 1
      isLast = failures > maximumFailures || outcome == .permanent
      wait = (1..<failures).reduce(base) { wait, _ in min(wait * 2, 1_000) }
      wait = min(wait, Self.cap)
    }
    let value = outcome == .failure ? Self.over : number
    expect(
      Self.number(tick.index, tick.scheduled, tick.missed, failures) &+ value, lane: Self.ends,
      at: now)
    while !isSuspended, next < now { passOver() }
    heldUntil = now + (outcome == .hint ? wait : 0)
    notBefore = now + wait
    if wait > 0 { postpone(to: notBefore) }
    if isLast { return close() }
    phase = .waiting
    settle(at: now)
  }

  private func close() {
    phase = .over
    isOver = true
  }

  // MARK: The calls

  override func call(_ random: inout SplitMix64) -> Bool {
    if polls > 20, Int.random(in: 0..<40, using: &random) == 0 { return cancel() }
    guard let poller, !isCancelled, phase != .over, Int.random(in: 0..<3, using: &random) == 0
    else {
      goOn()
      return true
    }
    settle(at: now)
    defer { settle(at: now) }
    let hasEnded = isLast
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      let does = !isSuspended && !hasEnded
      if does { isSuspended = true }
      return poller.suspend() == does
    case 1, 2:
      let isPollingNow = Bool.random(using: &random)
      let does = isSuspended && !hasEnded
      if does { resume(isPollingNow) }
      return poller.resume(pollingNow: isPollingNow) == does
    case 3:
      if !hasEnded { asked = asked ?? now }
      return poller.pollNow() == !hasEnded
    default:
      let newPeriod = Int.random(in: 1...20, using: &random)
      if !hasEnded { reschedule(newPeriod) }
      return poller.reschedule(every: .milliseconds(newPeriod)) == !hasEnded
    }
  }

  private func resume(_ isPollingNow: Bool) {
    isSuspended = false
    next = now + (isBeforeFirst ? first : period)
    notBefore = heldUntil
    postpone(to: heldUntil)
    if isPollingNow { asked = asked ?? now }
  }

  private func reschedule(_ newPeriod: Int) {
    period = newPeriod
    guard !isSuspended else { return }
    isBeforeFirst = false
    next = now + period
    postpone(to: notBefore)
  }

  private func goOn() {
    guard turns.goOn() else { return }
    if isCancelled { return close() }
    pollEnded()
  }

  private func cancel() -> Bool {
    let isPolling = phase != .over && !isCancelled
    if isPolling, phase == .waiting { close() }
    isCancelled = true
    asked = nil
    return poller.map { $0.cancel() == isPolling } ?? true
  }

  override var isConsistent: Bool {
    poller.map { $0.isPolling == (phase != .over && !isCancelled && !isSuspended) } ?? true
  }

  override var description: String {
    "PollSubject every \(period) from \(base), \(polls) polls, \(phase), next at \(next)"
  }

  override func end() {
    if poller == nil { _ = cancel() }
    if phase == .waiting { close() }
    isCancelled = true
    poller = nil
    if phase != .over { goOn() }
  }
}
