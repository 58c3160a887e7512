import Pacing
import PacingTesting
import TestSupport

/// A dispatch timer beside one that walks its grid step by step.
final class TimerSubject: Subject {
  private var oracle: NaiveTimer
  private var timer: DispatchTimer?

  init(_ scene: Scene, _ random: inout SplitMix64) {
    let policy = NaiveTimer.Policy.allCases.randomElement(using: &random)!
    let period = Int.random(in: 1...30, using: &random)
    oracle = NaiveTimer(policy, period: period)
    super.init(scene)
    timer = DispatchTimer(
      every: .milliseconds(period), missed: policy.missed, clock: scene.clock
    ) { [journal] in journal.note(Self.number($0.index, $0.missed), lane: $0.scheduled.milliseconds)
    }
  }

  private static func number(_ index: Int, _ missed: Int) -> Int { index * 1_000_000 + missed }

  private func expect(_ tick: Tick) {
    expect(
      Self.number(tick.index, tick.missed), lane: tick.scheduled.milliseconds,
      at: tick.actual.milliseconds)
  }

  override var dueTime: Int? { oracle.phase == .running ? oracle.next : nil }

  override func settle(at time: Int) {
    for tick in oracle.due(at: time) { expect(tick) }
  }

  override func call(_ random: inout SplitMix64) -> Bool {
    guard let timer else { return true }
    let verb = Int.random(in: 0..<8, using: &random)
    let argument = Int.random(in: 1...20, using: &random)
    // What is due comes first, but for a reset; what else is due waits for that one's handler.
    let decided = verb == 4 ? nil : oracle.nextDue(at: now)
    if let decided { expect(decided) }
    let (answer, expectation): (Bool, Bool)
    switch verb {
    case 0, 7: (answer, expectation) = (timer.start(), oracle.start(at: now))
    case 1:
      (answer, expectation) = (timer.suspend(), oracle.suspend(keepingRemaining: false, at: now))
    case 2: (answer, expectation) = (timer.resume(), oracle.resume(at: now))
    case 3:
      answer = timer.reschedule(every: .milliseconds(argument))
      expectation = oracle.reschedule(every: argument, at: now)
    case 4:
      let instant = now + argument - 3
      answer = timer.reset(nextAt: .at(instant))
      expectation = oracle.reset(nextAt: instant)
    case 5:
      answer = timer.suspend(keepingRemaining: true)
      expectation = oracle.suspend(keepingRemaining: true, at: now)
    // A tick that is decided and has not begun is the one that is asked for.
    case _ where decided != nil: (answer, expectation) = (timer.fireNow(), true)
    default: (answer, expectation) = (timer.fireNow(), oracle.fireNow(at: now))
    }
    settle(at: now)
    return answer == expectation
  }

  override var isConsistent: Bool { timer?.state ?? oracle.phase == oracle.phase }

  override func end() {
    timer = nil
    oracle.phase = .finished
  }
}
