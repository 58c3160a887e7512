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

  @Test("an instant converts alike whether a tool follows the clock or not, as long as that lives")
  func origin() async throws {
    let clock = foreign
    let deadline = clock.pacingInstant(of: clock.now.advanced(by: .seconds(5)))
    foreign.base.advance(by: .seconds(4))
    #expect(clock.pacingInstant(of: clock.now) == deadline.advanced(by: .seconds(-1)))
    let timer = DispatchTimer.scheduled(.once(at: deadline), clock: clock) { _ in }
    #expect(
      timer.nextDeadline == deadline && clock.service.now == deadline.advanced(by: .seconds(-1)))
  }

  class Older: Clock, @unchecked Sendable {
    let base = ForeignClock()
    var now: ForeignClock.Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }
    func sleep(until deadline: ForeignClock.Instant, tolerance: Duration?) async throws {
      try await base.sleep(until: deadline, tolerance: tolerance)
    }
  }

  final class Younger: Older, @unchecked Sendable {}

  @Test("a clock that is subclassed is one clock by the name of either class")
  func subclass() {
    let clock = Younger()
    let timer = DispatchTimer.scheduled(after: .seconds(1), clock: clock) {}
    let later = clock.now.advanced(by: .seconds(1))
    #expect(timer.nextDeadline.map((clock as Older).instant(of:)) == later)
    #expect((clock as Older).service === clock.service)
  }

  /// A clock with the library's instants.
  struct Shifted: Clock {
    static let base = ManualClock()
    var now: PacingInstant { Self.base.now.advanced(by: .seconds(100)) }
    var minimumResolution: Duration { .nanoseconds(1) }
    func sleep(until deadline: PacingInstant, tolerance: Duration?) async throws {
      try await Self.base.sleep(until: deadline.advanced(by: .seconds(-100)))
    }
  }

  @Test("the instants of a clock that has the library's stay as they are")
  func sameInstants() {
    let clock = Shifted()
    let timer = DispatchTimer.scheduled(after: .seconds(1), clock: clock) {}
    #expect(timer.nextDeadline == clock.now.advanced(by: .seconds(1)))
  }

  /// A clock of whole seconds, whose sleeps fail as often as it is told.
  final class Whole: Clock {
    typealias Instant = ForeignClock.Instant
    let base = ManualClock()
    let sleeps = Counter()
    let failures = Locked(0)
    var minimumResolution: Duration { .seconds(1) }
    var now: Instant { Instant(offset: .seconds(base.wallTime.components.seconds)) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      sleeps.add()
      let fails = failures.withLock { failures in
        defer { failures -= 1 }
        return failures > 0
      }
      if fails { throw EndOfSleep() }
      let whole = Duration.seconds(deadline.offset.components.seconds)
      guard whole > base.wallTime else { return }
      try await base.sleep(for: whole - base.wallTime)
    }
  }

  struct EndOfSleep: Error {}

  @Test("a coarse clock is asked for no sleep that it cannot show")
  func coarse() async {
    let clock = Whole()
    let timer = DispatchTimer.scheduled(after: .milliseconds(500), clock: clock) {}
    await clock.base.sleepers(atLeast: 1)
    #expect(clock.base.nextDeadline == .at(1000) && clock.sleeps.value == 1)
    withExtendedLifetime(timer) {}
  }

  @Test("a clock whose sleep fails is asked again")
  func failingSleep() async {
    let clock = Whole()
    clock.failures.withLock { $0 = 2 }
    let timer = DispatchTimer.scheduled(every: .seconds(1), clock: clock) { _ in }
    await clock.base.sleepers(atLeast: 1)
    #expect(clock.sleeps.value == 3 && timer.isValid)
  }
}
