import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("DispatchTimer: wall clock")
struct WallClockTests {
  let clock = ManualClock()
  let walls = EventRecorder<Int>()
  let ticks = EventRecorder<Tick>()

  private func start(_ schedule: TickSchedule) -> DispatchTimer {
    .scheduled(schedule, clock: clock) { [clock, walls, ticks] in
      walls.record(Int(clock.wallTime.components.seconds))
      ticks.record($0)
    }
  }

  private func showOnWall(_ seconds: Int) {
    clock.wallTime = .seconds(seconds)
  }

  @Test("ticks at each full minute, from the next one on, and at an offset from it")
  func aligned() {
    showOnWall(1_000_000_017)
    let timer = start(.every(.seconds(60), first: .aligned))
    let shifted = start(.every(.seconds(60), first: .aligned(offset: .seconds(5))))
    clock.advance(by: .seconds(150))
    #expect(walls.values == [20, 25, 80, 85, 140, 145].map { 1_000_000_000 + $0 })
    #expect(ticks.values.allSatisfy { $0.missed == 0 && $0.lateness == .zero })
    withExtendedLifetime((timer, shifted)) {}
  }

  @Test("at a full minute, it ticks at once, and the next one comes a minute later")
  func atOnce() {
    showOnWall(120)
    let timer = start(.every(.seconds(60), first: .aligned))
    clock.advance(by: .zero)
    timer.reset()
    clock.advance(by: .seconds(60))
    #expect(walls.values == [120, 180])
  }

  @Test(
    "follows when the clock is set forward or the system has slept: the minute passed is overdue")
  func forward() {
    showOnWall(30)
    let timer = start(.every(.seconds(60), first: .aligned, missed: .coalesce))
    clock.advance(by: .seconds(10))
    showOnWall(70)
    clock.advance(by: .seconds(1))
    #expect(walls.values == [71])
    clock.advance(by: .seconds(50))
    #expect(walls.values == [71, 120])
    showOnWall(8 * 3600 + 10)
    clock.advance(by: .seconds(55))
    #expect(walls.values == [71, 120, 8 * 3600 + 11, 8 * 3600 + 60])
    #expect(ticks.values[2].missed == 8 * 60 - 3)
    TimerLawTests.expectTheLaw(ticks.values, "set forward")
    withExtendedLifetime(timer) {}
  }

  @Test(
    "follows when the clock is set back: at the next full minute that it shows",
    arguments: [10, 700])
  func back(seconds: Int) {
    showOnWall(1000 * 60 - 5)
    let timer = start(.every(.seconds(60), first: .aligned))
    clock.advance(by: .seconds(6))
    showOnWall(1000 * 60 + 1 - seconds)
    clock.advance(by: .seconds(125))
    #expect(walls.values.count == 3 && walls.values.allSatisfy { $0.isMultiple(of: 60) })
    TimerLawTests.expectTheLaw(ticks.values, "set back")
    withExtendedLifetime(timer) {}
  }

  @Test("a suspension keeps the phase, whatever is to be kept", arguments: [false, true])
  func suspension(keepingRemaining: Bool) {
    let timer = start(.every(.seconds(60), first: .aligned))
    clock.advance(by: .seconds(85))
    timer.suspend(keepingRemaining: keepingRemaining)
    clock.advance(by: .seconds(100))
    timer.resume()
    #expect(timer.nextDeadline == .at(240_000))
  }

  @Test("a wall time is the first tick's, and moves with the clock until then")
  func wallTime() {
    showOnWall(1000)
    let timer = start(.every(.seconds(7), first: .atWallTime(.seconds(1100)), count: 2))
    let once = start(.once(atWallTime: .seconds(1100)))
    let passed = start(.once(atWallTime: .seconds(900)))
    clock.advance(by: .seconds(20))
    showOnWall(1080)
    clock.advance(by: .seconds(50))
    #expect(walls.values == [1000, 1100, 1100, 1107])
    #expect(![timer, once, passed].map(\.isValid).contains(true))
    #expect(clock.pendingCount == 0)
  }

  @Test("nothing is left behind when it ends, is suspended or is dropped", arguments: 0..<3)
  func release(way: Int) {
    var timer: DispatchTimer? = start(.every(.seconds(60), first: .aligned))
    clock.advance(by: .seconds(90))
    #expect(clock.pendingCount == 2, "the tick and the look at the wall clock")
    if way == 0 { timer?.cancel() }
    if way == 1 {
      timer?.suspend()
      clock.advance(by: .seconds(1))
    }
    if way == 2 { timer = nil }
    #expect(clock.pendingCount == 0)
    withExtendedLifetime(timer) {}
  }

  @Test("the instant of a reset moves with the wall clock, and comes no period early")
  func resetBeforeStep() {
    let timer = DispatchTimer(.every(.seconds(60), first: .aligned), clock: clock)
    timer.start()
    clock.advance(by: .seconds(1))
    timer.reset(nextAt: .at(600_000))
    clock.wallTime = clock.wallTime + .seconds(1)
    clock.advance(by: .seconds(1))
    #expect(timer.nextDeadline == .at(599_000))
  }

  @Test("what is left of an interval that ends at an instant is kept, however the clock is set")
  func keptRemainder() {
    let timer = DispatchTimer(
      .every(.seconds(10), first: .atWallTime(.zero)), clock: clock)
    timer.start()
    clock.advance(by: .zero)
    timer.reset(nextAt: .at(100_000))
    clock.advance(by: .seconds(1))
    timer.suspend(keepingRemaining: true)
    clock.advance(by: .seconds(1))
    timer.resume()
    #expect(timer.nextDeadline == .at(101_000))
    clock.wallTime = clock.wallTime + .seconds(1)
    clock.advance(by: .seconds(1))
    #expect(timer.nextDeadline == .at(100_000))
  }

  @Test("set back, it passes no full period before an instant that it was reset to, however near")
  func resetNear() {
    let timer = DispatchTimer(.every(.seconds(60), first: .aligned), clock: clock)
    timer.start()
    clock.advance(by: .seconds(1))
    timer.reset(nextAt: .at(31_000))
    clock.wallTime = clock.wallTime - .seconds(40)
    clock.advance(by: .seconds(1))
    #expect(timer.nextDeadline == .at(71_000))
    // From there on it is a grid as before, which full periods may repeat.
    clock.advance(by: .seconds(69))
    clock.wallTime = clock.wallTime - .seconds(600)
    clock.advance(by: .seconds(1))
    #expect(timer.nextDeadline.map { $0 <= .at(131_000) } == true)
  }
}
