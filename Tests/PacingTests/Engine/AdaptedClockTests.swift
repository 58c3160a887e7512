import Pacing
import PacingTesting
import Testing

@testable import TestSupport

@Suite("AdaptedClock")
struct AdaptedClockTests {
  let foreign = ForeignClock()

  @Test("carries timers and their streams, with one sleeping task")
  func ticks() async {
    let clock = AdaptedClock.adapting(foreign)
    var ticks = DispatchTimer.ticks(every: .seconds(1), clock: clock).makeAsyncIterator()
    for index in 0..<3 {
      await foreign.advance(by: .seconds(1))
      let tick = await ticks.next()
      #expect(tick?.index == index && tick?.lateness == .zero)
    }
    await foreign.base.sleepers(atLeast: 1)
    #expect(foreign.base.pendingCount == 1 && clock.pendingCount == 1)
  }

  @Test("takes a clock whose type is not known")
  func existential() {
    let clock: any Clock<Duration> = foreign
    let timer = DispatchTimer.scheduled(every: .seconds(1), clock: .adapting(clock)) { _ in }
    #expect(timer.nextDeadline == .at(1000))
  }

  @Test(
    "a nearer deadline has a sleep of its own, the farther one sleeps on, and release ends both")
  func earliest() async {
    var clock: AdaptedClock? = .adapting(foreign)
    weak let service = clock?.service
    var timers = [DispatchTimer.scheduled(after: .seconds(100), clock: clock!) {}]
    await foreign.base.sleepers(atLeast: 1)
    timers.append(.scheduled(after: .seconds(10), clock: clock!) {})
    await foreign.base.sleepers(atLeast: 2)
    #expect(foreign.base.pendingCount == 2 && foreign.base.nextDeadline == .at(10_000))
    withExtendedLifetime(timers) {}
    timers = []
    clock = nil
    #expect(service == nil && foreign.base.pendingCount == 0)
  }

  @Test(
    "ticks before a far deadline cancel no sleep: some clocks keep the memory of those that are")
  func noCancelledSleeps() async {
    let clock = AdaptedClock.adapting(foreign)
    let far = DispatchTimer.scheduled(after: .seconds(3600), clock: clock) {}
    await foreign.base.sleepers(atLeast: 1)
    for round in 1...20 {
      let near = DispatchTimer.scheduled(after: .seconds(1), clock: clock) {}
      await foreign.base.sleepers(atLeast: 2)
      foreign.base.advance(by: .seconds(1))
      withExtendedLifetime(near) {}
      // Only the far sleep, which was first.
      #expect(foreign.base.pendingCount == 1 && foreign.cancelledSleeps.value == 0, "\(round)")
      #expect(foreign.base.nextDeadline == .at(3_600_000))
    }
    withExtendedLifetime(far) {}
  }

  @Test("a deadline that moves ever nearer keeps a few sleeps, and fires on time")
  func nearer() async {
    let clock = AdaptedClock.adapting(foreign)
    let fired = Counter()
    let timers = (1...50).reversed().map { seconds in
      DispatchTimer.scheduled(after: .seconds(seconds), clock: clock) { fired.add() }
    }
    await foreign.base.sleepers(atLeast: 1)
    #expect(foreign.base.pendingCount <= 8)
    withExtendedLifetime(timers) {}
  }

  @Test("carries the other tools: a debounced stream, a token, a sleep")
  func tools() async throws {
    let clock = AdaptedClock.adapting(foreign)
    let search = Debouncer<String>(for: .seconds(1), clock: clock)
    var queries = search.ticks().makeAsyncIterator()
    search.send("swift")
    await foreign.advance(by: .seconds(1))
    #expect(await queries.next() == "swift")
    let bucket = TokenBucket(rate: .perSecond(1), burst: 1, clock: clock)
    #expect(bucket.tryAcquire() && !bucket.tryAcquire())
    async let sleep: Void = clock.sleep(for: .seconds(1))
    await foreign.advance(by: .seconds(1))
    try await sleep
    #expect(bucket.tryAcquire())
  }

  @Test("swift#59174, swift#80791: asks no clock for a sleep so long that it is taken for none")
  func longest() async {
    let timer = DispatchTimer.scheduled(
      after: .seconds(9_000_000_000), clock: .adapting(foreign)
    ) {}
    await foreign.base.sleepers(atLeast: 1)
    #expect(foreign.base.nextDeadline == .at(86_400_000))
    await foreign.advance(by: .seconds(86_400))
    await foreign.base.sleepers(atLeast: 1)
    #expect(foreign.base.nextDeadline == .at(2 * 86_400_000) && timer.isValid)
  }
}
