import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("AdaptedClock")
struct AdaptedClockTests {
  /// A clock that the library knows nothing of, moved by hand.
  struct Foreign: Clock {
    struct Instant: InstantProtocol {
      var offset: Duration
      func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
      func duration(to other: Instant) -> Duration { other.offset - offset }
      static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    let base = ManualClock()

    var now: Instant { Instant(offset: .seconds(5000) + base.wallTime) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      try await base.sleep(until: base.now.advanced(by: now.duration(to: deadline)))
    }

    /// Lets time pass as soon as one task sleeps, as one always does while something is pending.
    func advance(by duration: Duration) async {
      await base.sleepers(atLeast: 1)
      base.advance(by: duration)
    }
  }

  let foreign = Foreign()

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

  @Test("sleeps until the earliest deadline only, and not at all when it is released")
  func earliest() async {
    var clock: AdaptedClock? = .adapting(foreign)
    weak let service = clock?.service
    var timers = [DispatchTimer.scheduled(after: .seconds(100), clock: clock!) {}]
    await foreign.base.sleepers(atLeast: 1)
    timers.append(.scheduled(after: .seconds(10), clock: clock!) {})
    await foreign.base.sleepers(atLeast: 1)
    #expect(foreign.base.pendingCount == 1 && foreign.base.nextDeadline == .at(10_000))
    timers = []
    clock = nil
    #expect(service == nil && foreign.base.pendingCount == 0)
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
