import Pacing
import PacingTesting
import Testing

@testable import TestSupport

@Suite("Adapted clocks")
struct AdaptedClockTests {
  let foreign = ForeignClock()

  @Test("carries timers and their streams, with one sleeping task")
  func ticks() async {
    let clock = foreign
    var ticks = DispatchTimer.ticks(every: .seconds(1), clock: clock).makeAsyncIterator()
    for index in 0..<3 {
      await foreign.advance(by: .seconds(1))
      let tick = await ticks.next()
      #expect(tick?.index == index && tick?.lateness == .zero)
    }
    await foreign.base.sleepers(atLeast: 1)
    #expect(foreign.base.pendingCount == 1 && clock.service.pendingCount == 1)
  }

  @Test("takes a clock whose type is not known")
  func existential() {
    let clock: any Clock<Duration> = foreign
    let timer = DispatchTimer.scheduled(every: .seconds(1), clock: clock) { _ in }
    #expect(timer.nextDeadline == .at(1000))
  }

  @Test(
    "a nearer deadline has a sleep of its own, the farther one sleeps on, and release ends both")
  func earliest() async {
    var timers = [DispatchTimer.scheduled(after: .seconds(100), clock: foreign) {}]
    weak let service = foreign.service
    await foreign.base.sleepers(atLeast: 1)
    timers.append(.scheduled(after: .seconds(10), clock: foreign) {})
    await foreign.base.sleepers(atLeast: 2)
    #expect(foreign.base.pendingCount == 2 && foreign.base.nextDeadline == .at(10_000))
    withExtendedLifetime(timers) {}
    timers = []
    #expect(service == nil && foreign.base.pendingCount == 0)
  }

  @Test(
    "ticks before a far deadline cancel no sleep: some clocks keep the memory of those that are")
  func noCancelledSleeps() async {
    let clock = foreign
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
    let clock = foreign
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
    let clock = foreign
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
      after: .seconds(9_000_000_000), clock: foreign
    ) {}
    await foreign.base.sleepers(atLeast: 1)
    #expect(foreign.base.nextDeadline == .at(86_400_000))
    await foreign.advance(by: .seconds(86_400))
    await foreign.base.sleepers(atLeast: 1)
    #expect(foreign.base.nextDeadline == .at(2 * 86_400_000) && timer.isValid)
  }

  @Test("a clock that is an object has one service, a standard clock one in the process")
  func services() {
    let timers = (0..<1000).map { _ in
      DispatchTimer.scheduled(every: .seconds(1), clock: foreign) { _ in }
    }
    #expect(foreign.service.pendingCount == 1000)
    withExtendedLifetime(timers) {}
    #expect(ContinuousClock().service === ContinuousClock().service)
    #expect(SuspendingClock().service !== ContinuousClock().service)
    #expect(foreign.service !== ForeignClock().service)
  }

  @Test("an instant of another clock is converted to the library's, and back")
  func instants() {
    let clock = ContinuousClock()
    let (now, later) = (clock.now, clock.now.advanced(by: .seconds(60)))
    #expect(
      clock.pacingInstant(of: now).duration(to: clock.pacingInstant(of: later))
        == now.duration(to: later))
    #expect(clock.instant(of: clock.pacingInstant(of: later)) == later)
    let timer = DispatchTimer.scheduled(.once(at: clock.pacingInstant(of: later)), clock: clock) {
      _ in
    }
    #expect(timer.nextDeadline.map(clock.instant(of:)) == later)
    let manual = ManualClock()
    #expect(manual.pacingInstant(of: .at(7)) == .at(7) && manual.instant(of: .at(7)) == .at(7))
  }
}
