import Pacing
import PacingTesting

@testable import TestSupport

/// A dispatch timer against one that walks its grid step by step.
final class TimerSubject: Subject {
  private var oracle: NaiveTimer
  private var timer: DispatchTimer?

  init(_ scene: Scene, _ random: inout SplitMix64) {
    let policy = NaiveTimer.Policy.allCases.randomElement(using: &random)!
    let period = Int.random(in: 1...30, using: &random)
    oracle = NaiveTimer(policy, period: period)
    super.init(scene)
    timer = DispatchTimer(.every(.milliseconds(period), missed: policy.missed), clock: scene.clock)
    { [journal] in journal.note(Self.number($0.index, $0.missed), lane: $0.scheduled.milliseconds)
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
    // A start is twice as likely as any other call.
    let call = (NaiveTimer.Call.allCases + [.start]).randomElement(using: &random)!
    let argument = Int.random(in: 1...20, using: &random)
    // A due tick comes first, except before a reset; further due ticks wait for its handler.
    let decided = call == .reset ? nil : oracle.nextDue(at: now)
    if let decided { expect(decided) }
    let agrees = oracle.agrees(
      with: timer, on: call, argument, hasDecided: decided != nil, at: now)
    settle(at: now)
    return agrees
  }

  override var isConsistent: Bool { timer?.state ?? oracle.phase == oracle.phase }

  override func end() {
    timer = nil
    oracle.phase = .finished
  }
}
