import Pacing
import PacingTesting
import Testing

@testable import TestSupport

@Suite("TickSchedule")
struct TickScheduleTests {
  let clock = ManualClock()
  let ticks = EventRecorder<Tick>()

  private func start(_ schedule: TickSchedule) -> DispatchTimer {
    .scheduled(schedule, clock: clock) { [ticks] in ticks.record($0) }
  }

  @Test("hands out so many ticks, says with each how many remain, and is over")
  func count() {
    let timer = start(.every(.milliseconds(10), count: 3))
    #expect(timer.remainingCount == 3)
    clock.advance(by: .milliseconds(20))
    #expect(timer.remainingCount == 1 && timer.isValid)
    clock.advance(by: .milliseconds(100))
    #expect(ticks.values.map(\.remaining) == [2, 1, 0])
    #expect(ticks.values.map(\.index) == [0, 1, 2])
    #expect(timer.state == .finished && timer.remainingCount == 0 && clock.pendingCount == 0)
    #expect(start(.every(.seconds(1))).remainingCount == nil)
  }

  @Test("a tick that is missed does not count, so that the last one always comes")
  func countAndMissed() {
    let timer = start(.every(.milliseconds(10), count: 2))
    clock.lapse(by: .milliseconds(55))
    clock.advance(by: .zero)
    clock.advance(by: .milliseconds(5))
    #expect(ticks.values.map(\.index) == [0, 5])
    #expect(ticks.values.map(\.remaining) == [1, 0])
    #expect(!timer.isValid)
  }

  @Test("scatters each tick behind its place on the grid, from a seed the same again")
  func jitter() {
    let schedule = TickSchedule.every(.milliseconds(10), jitter: .milliseconds(8), seed: 7)
    let timers = [start(schedule), start(schedule)]
    clock.advance(by: .milliseconds(2000))
    let all = ticks.takeAll().sorted { $0.index < $1.index }
    #expect(all.count == 2 * 199 || all.count == 2 * 200)
    for (first, second) in zip(all, all.dropFirst()) where first.index == second.index {
      #expect(first == second)
    }
    for tick in all {
      #expect(tick.scheduled == .at(10 * (tick.index + 1)) && tick.missed == 0)
      #expect(tick.lateness >= .zero && tick.lateness <= .milliseconds(8))
    }
    #expect(Set(all.map(\.lateness)).count > 150)
    withExtendedLifetime(timers) {}
  }

  @Test("one at an instant, or at once where that has passed", arguments: [(30, 30), (10, 20)])
  func onceAt(instant: Int, expected: Int) {
    clock.advance(by: .milliseconds(20))
    let timer = start(.once(at: .at(instant)))
    clock.advance(by: .milliseconds(50))
    #expect(ticks.values.map(\.actual) == [.at(expected)])
    #expect(!timer.isValid)
  }

  @Test(
    "keeps its laws whatever it consists of, when the machine is late", arguments: Soak.seeds(200))
  func laws(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let policy = NaiveTimer.Policy.allCases.randomElement(using: &random)!
    let period = Int.random(in: 2...9, using: &random)
    let count = Bool.random(using: &random) ? Int.random(in: 1...60, using: &random) : nil
    let jitter = Int.random(in: 0..<period, using: &random)
    let timer = start(
      .every(
        .milliseconds(period), first: .after(.milliseconds(5)), count: count,
        missed: policy.missed, jitter: .milliseconds(jitter), seed: seed))
    for _ in 0..<100 {
      let span = Duration.milliseconds(Int.random(in: 0...20, using: &random))
      if Int.random(in: 0..<3, using: &random) == 0 {
        clock.lapse(by: span)
      } else {
        clock.advance(by: span)
      }
    }
    clock.advance(by: .zero)
    let all = ticks.values
    TimerLawTests.expectTheLaw(all, "seed \(seed)")
    for tick in all {
      if policy != .delay {
        #expect(tick.scheduled == .at(5 + tick.index * period), "seed \(seed)")
      }
    }
    if let count {
      #expect(all.map(\.remaining) == (0..<all.count).map { count - 1 - $0 }, "seed \(seed)")
      #expect(timer.remainingCount == count - all.count, "seed \(seed)")
    }
    let missed = all.reduce(0) { $0 + $1.missed }
    #expect((all.last?.index ?? -1) == all.count + missed - 1, "seed \(seed)")
  }
}
