import Pacing
import PacingTesting
import Testing

@testable import TestSupport

@Suite("DispatchTimer: laws")
struct TimerLawTests {
  /// A timer and its oracle, under the same calls.
  struct Pair {
    let clock: ManualClock
    let timer: DispatchTimer
    var oracle: NaiveTimer
    var expected = [Tick]()
    var random: SplitMix64
    let recorder = EventRecorder<Tick>()

    init(_ policy: NaiveTimer.Policy, seed: UInt64, isLazy: Bool = false) {
      random = SplitMix64(seed: seed)
      let period = Int.random(in: 1...6, using: &random)
      clock = ManualClock(isLazy: isLazy)
      oracle = NaiveTimer(policy, period: period)
      timer = DispatchTimer(.every(.milliseconds(period), missed: policy.missed), clock: clock) {
        [recorder] in recorder.record($0)
      }
    }

    var now: Int { Int(clock.now.nanoseconds / 1_000_000) }

    /// Advances time; the oracle meets each deadline, like a punctual timer.
    mutating func advance(by span: Int) {
      for instant in now...(now + span) { expected += oracle.due(at: instant) }
      clock.advance(by: .milliseconds(span))
    }

    mutating func lapse(by span: Int) {
      clock.lapse(by: .milliseconds(span))
    }

    /// Makes one random call on both, and returns whether the answers agree.
    mutating func call() -> Bool {
      let call = NaiveTimer.Call.allCases.randomElement(using: &random)!
      let argument = Int.random(in: 1...5, using: &random)
      // A due tick comes first, except before a reset, which wins over it; further due ticks are
      // held until its handler ends.
      let decided = call == .reset ? nil : oracle.nextDue(at: now)
      expected += [decided].compactMap(\.self)
      let agrees = oracle.agrees(
        with: timer, on: call, argument, hasDecided: decided != nil, at: now)
      expected += oracle.due(at: now)
      clock.advance(by: .zero)
      return agrees && timer.state == oracle.phase
    }
  }

  @Test(
    "agrees with a walk along the grid, under calls at random and timers that are late",
    arguments: NaiveTimer.Policy.allCases, Soak.seeds(30))
  func agrees(policy: NaiveTimer.Policy, seed: UInt64) throws {
    for isLazy in [false, true] {
      try agrees(Pair(policy, seed: seed, isLazy: isLazy), seed: seed)
    }
  }

  private func agrees(_ pair: consuming Pair, seed: UInt64) throws {
    var pair = pair
    for step in 0..<200 {
      var isRight = true
      switch Int.random(in: 0..<4, using: &pair.random) {
      case 0: isRight = pair.call()
      case 1: pair.lapse(by: .random(in: 0...20, using: &pair.random))
      default: pair.advance(by: .random(in: 0...9, using: &pair.random))
      }
      try #require(isRight, "seed \(seed), step \(step)")
      if pair.recorder.values.count < pair.expected.count { pair.advance(by: 0) }
      let isAsExpected = pair.recorder.values == pair.expected
      try #require(isAsExpected, "seed \(seed), step \(step)")
    }
    Self.expectTheLaw(pair.expected, "seed \(seed)")
  }

  static func expectTheLaw(_ ticks: [Tick], _ seed: Comment) {
    for (before, tick) in zip(ticks, ticks.dropFirst()) {
      #expect(tick.index == before.index + 1 + tick.missed, seed)
      #expect(tick.actual >= before.actual && tick.actual >= tick.scheduled, seed)
    }
  }

  /// A subscription of a timer, with the ticks offered to it.
  struct Subscription {
    var ticks: AsyncStream<Tick>.Iterator
    let isLate: Bool
    var offered = [Tick]()
    var taken = [Tick]()

    init(to timer: DispatchTimer, isLate: Bool) {
      ticks = timer.ticks().makeAsyncIterator()
      self.isLate = isLate
    }

    mutating func take() async {
      guard let newest = offered.last else { return }
      let tick = await ticks.next(isolation: #isolation)
      // It counts the ticks that it replaced; the first one offered to a late subscriber has missed
      // none.
      let before = taken.last?.index ?? (isLate ? offered[0].index - 1 : -1)
      #expect(
        tick
          == Tick(
            index: newest.index, scheduled: newest.scheduled, actual: newest.actual,
            missed: newest.index - before - 1))
      taken.append(newest)
      offered = []
    }
  }

  @Test(
    "each subscription has the newest tick, which counts what its consumer did not see",
    arguments: NaiveTimer.Policy.allCases, Soak.seeds(10))
  func subscriptions(policy: NaiveTimer.Policy, seed: UInt64) async {
    var pair = Pair(policy, seed: seed)
    var subscriptions = [Subscription(to: pair.timer, isLate: false)]
    pair.timer.start()
    var isUnderWay = false
    for _ in 0..<150 {
      switch Int.random(in: 0..<8, using: &pair.random) {
      case 0: _ = pair.call()
      case 1: pair.lapse(by: .random(in: 0...20, using: &pair.random))
      case 2: subscriptions.append(Subscription(to: pair.timer, isLate: isUnderWay))
      case 3, 4:
        let index = subscriptions.indices.randomElement(using: &pair.random)!
        await subscriptions[index].take()
      default: pair.clock.advance(by: .milliseconds(Int.random(in: 0...9, using: &pair.random)))
      }
      pair.clock.advance(by: .zero)
      let ticks = pair.recorder.takeAll()
      isUnderWay = isUnderWay || !ticks.isEmpty
      for index in subscriptions.indices { subscriptions[index].offered += ticks }
    }
  }
}
