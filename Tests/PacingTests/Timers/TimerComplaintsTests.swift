import Pacing
import PacingTesting
import TestSupport
import Testing

/// Bugs that users of other timers reported; those that need memory or real time are among the
/// stress tests.
@Suite("DispatchTimer: complaints")
struct TimerComplaintsTests {
  let clock = ManualClock()
  let ticks = EventRecorder<Tick>()

  private func timer(
    every period: Int = 10, first: FirstTick = .afterPeriod, missed: MissedTicks = .skip
  ) -> DispatchTimer {
    DispatchTimer(.every(.milliseconds(period), first: first, missed: missed), clock: clock) {
      [ticks] in ticks.record($0)
    }
  }

  @Test("swift#59174, swift#80791: a sleep of the longest duration does not return at once")
  func longestSleep() async {
    let clock = clock
    let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
    let task = Task { try await clock.sleep(for: longest) }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: longest)
    await clock.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("swift#86204: a sleep(for:) that is cancelled throws, and nothing else")
  func cancelledSleep() async {
    let clock = clock
    for _ in 0..<50 {
      let task = Task { try await clock.sleep(for: .seconds(3600)) }
      await clock.sleepers(atLeast: 1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(clock.pendingCount == 0)
    }
  }

  @Test(
    "libdispatch#604, Repeat#6, Repeat#31, AudioStreaming#138, tealium#100: no state traps",
    arguments: 0..<81)
  func lifeCycle(way: Int) {
    // Four calls of three kinds, and then the release: all 81 combinations.
    let timer = timer()
    var code = way
    for _ in 0..<4 {
      switch code % 3 {
      case 0: timer.start()
      case 1: timer.suspend()
      default: timer.cancel()
      }
      code /= 3
    }
    clock.advance(by: .milliseconds(10))
    #expect(ticks.values.count <= 1)
  }

  @Test("swift-clocks#33, element-x-ios#6022: all that is due has happened when advance returns")
  func advance() {
    let timers = (0..<100).map { timer(every: $0 % 7 + 1) }
    for timer in timers { timer.start() }
    clock.advance(by: .milliseconds(420))
    #expect(ticks.values.count == timers.indices.reduce(0) { $0 + 420 / ($1 % 7 + 1) })
    withExtendedLifetime(timers) {}
  }

  @Test("omicron#9428, cc-switch#5164: unless it is asked for, a wake is followed by one tick")
  func burst() {
    let timer = timer()
    timer.start()
    clock.lapse(by: .seconds(3600))
    clock.advance(by: .zero)
    #expect(ticks.values.count == 1 && timer.nextDeadline == .at(3_600_010))
  }

  @Test("tokio#6029: a late tick does not move the grid, unless that is asked for")
  func drift() {
    let timers = (steady: timer(), delayed: timer(missed: .delay))
    timers.steady.start()
    timers.delayed.start()
    for _ in 0..<9 {
      clock.lapse(by: .milliseconds(23))
      clock.advance(by: .zero)
    }
    #expect(timers.steady.nextDeadline == .at(210))
    #expect(timers.delayed.nextDeadline == .at(9 * 23 + 10))
  }

  @Test("tokio#2241: the first tick comes after a period, and at once where that is asked for")
  func firstTick() {
    let timers = [timer(), timer(first: .now)]
    for timer in timers { timer.start() }
    clock.advance(by: .milliseconds(9))
    #expect(ticks.values.map(\.scheduled) == [.at(0)])
    withExtendedLifetime(timers) {}
  }

  @Test(
    "vapor/queues#85, vapor/queues#145: no minute has two ticks, however late they are",
    arguments: Soak.seeds(20))
  func twice(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let timer = DispatchTimer.scheduled(.every(.seconds(60), first: .aligned), clock: clock) {
      [ticks] in ticks.record($0)
    }
    for _ in 0..<100 {
      clock.lapse(by: .milliseconds(Int.random(in: 0...90_000, using: &random)))
      clock.advance(by: .zero)
    }
    let minutes = ticks.values.map { $0.scheduled.milliseconds / 60_000 }
    #expect(Set(minutes).count == minutes.count, "seed \(seed)")
    #expect(ticks.values.allSatisfy { $0.scheduled.milliseconds.isMultiple(of: 60_000) })
    withExtendedLifetime(timer) {}
  }

  @Test("golang/go#14038, golang/go#37196: no stale tick comes after a reset or a cancel")
  func stale() async {
    let timer = DispatchTimer(.every(.milliseconds(10)), clock: clock)
    var stream = timer.ticks().makeAsyncIterator()
    timer.start()
    clock.lapse(by: .milliseconds(10))
    #expect(timer.reset(), "the tick is due, and not decided")
    clock.advance(by: .milliseconds(10))
    #expect(await stream.next()?.scheduled == .at(20))
    clock.advance(by: .milliseconds(10))
    #expect(timer.cancel(), "the tick is in the stream")
    #expect(await stream.next() == nil)
  }

  @Test("swift-nio#2505: with jitter, timers that start together do not tick together")
  func herds() {
    let timers = (0..<100).map { seed in
      DispatchTimer.scheduled(
        .every(.seconds(60), jitter: .seconds(30), seed: seed), clock: clock
      ) { [ticks] in ticks.record($0) }
    }
    clock.advance(by: .seconds(100))
    #expect(Set(ticks.values.map(\.actual)).count > 90)
    withExtendedLifetime(timers) {}
  }

  @Test(
    "an unlimited burst that no consumer sees tick by tick loses none of them", arguments: [1, 50])
  func longBurst(late: Int) async {
    let timer = DispatchTimer(.every(.milliseconds(1), missed: .burst), clock: clock)
    var stream = timer.ticks().makeAsyncIterator()
    timer.start()
    clock.lapse(by: .seconds(late))
    timer.fireNow()
    timer.suspend()
    let tick = await stream.next()
    #expect(tick?.index == late * 1000 && tick?.missed == late * 1000)
  }
}
