import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Limits: long queues", .alone)
struct QueueLoadTests {
  @Test("newest first with deadlines, ten thousand that wait: each arrival is cheap")
  func newestFirst() {
    let clock = ManualClock()
    let bucket = TokenBucket(
      rate: .perSecond(1000), burst: 1, initial: 0, queue: QueuePolicy(order: .newestFirst),
      clock: clock)
    let refused = Counter()
    let time = ThreadTime.measure {
      for _ in 0..<20_000 {
        _ = bucket.acquire(within: .seconds(10)) { result in
          if case .failure = result { refused.add() }
        }
      }
    }
    clock.runReady()
    #expect(bucket.waitingCount == 10_000 && refused.value == 10_000)
    #expect(time < .seconds(10), "an arrival looked at all who wait: \(time)")
  }

  @Test(
    "tokens in steps or reserved, ten thousand that wait: each arrival and departure is cheap",
    arguments: [Refill.stepwise(every: .seconds(1)), .continuous])
  func steps(refill: Refill) throws {
    let clock = ManualClock()
    let bucket = TokenBucket(
      rate: .perSecond(1000), burst: 1000, initial: 0, refill: refill, clock: clock)
    let reservation = try bucket.reserve(1000)
    for waiter in 0..<10_000 { bucket.acquire(1 + waiter % 3) { _ in } }
    let time = ThreadTime.measure {
      for _ in 0..<2000 {
        clock.lapse(by: .milliseconds(1))
        bucket.acquire(within: .seconds(1000)) { _ in }
        bucket.acquire(within: .seconds(1000)) { _ in }.cancel()
        bucket.acquire(within: .zero) { _ in }
      }
    }
    clock.runReady()
    #expect(bucket.statistics.withdrawn == 2000 && reservation.cost == 1000)
    #expect(time < .seconds(5), "an arrival looked at all who wait: \(time)")
  }

  @Test("several limits, untimed callers behind thousands: each arrival is cheap")
  func severalLimits() {
    let clock = ManualClock()
    let limiter = RateLimiter(
      .slidingWindow(100_000, per: .seconds(1000)), .tokenBucket(rate: .perSecond(1000), burst: 1),
      clock: clock)
    let granted = Counter()
    for _ in 0..<5000 { _ = limiter.acquire { _ in granted.add() } }
    let time = ThreadTime.measure {
      for _ in 0..<1000 {
        clock.lapse(by: .microseconds(1500))
        _ = limiter.acquire { _ in granted.add() }
      }
    }
    clock.runReady()
    #expect(granted.value > 1000 && time < .seconds(5), "\(time)")
  }

  @Test("several limits, ten thousand timed waiters: leavers and late grants make no arrival dear")
  func leavers() {
    let clock = ManualClock()
    let limiter = RateLimiter(
      .slidingWindow(100_000, per: .seconds(1000)), .tokenBucket(rate: .perSecond(1000), burst: 1),
      clock: clock)
    _ = limiter.tryAcquire()
    let handles = (0..<10_000).map { _ in limiter.acquire(within: .seconds(1000)) { _ in } }
    let time = ThreadTime.measure {
      for handle in handles.dropFirst(5000).prefix(2000) {
        handle.cancel()
        clock.lapse(by: .microseconds(1500))
        _ = limiter.acquire(within: .seconds(1000)) { _ in }
      }
    }
    clock.runReady()
    #expect(limiter.statistics.withdrawn == 2000 && limiter.statistics.granted > 1000)
    #expect(time < .seconds(5), "an arrival or a grant looked at all who wait: \(time)")
  }

  /// The CPU time of a caller that cancels what was granted, joins, leaves and is refused, while so
  /// many wait.
  private static func leaving(behind waiters: Int, _ limit: Limit) -> Duration {
    let clock = ManualClock()
    let limiter = RateLimiter(.tokenBucket(rate: .perSecond(1000), burst: 1), limit, clock: clock)
    _ = limiter.tryAcquire()
    let granted = (0..<200).map { _ in limiter.acquire(within: .seconds(1000)) { _ in } }
    for _ in 0..<waiters { limiter.acquire(within: .seconds(1000)) { _ in } }
    clock.advance(by: .milliseconds(200))
    defer {
      limiter.close()
      clock.runReady()
    }
    return ThreadTime.measure {
      for granted in granted {
        granted.cancel()
        limiter.acquire(within: .seconds(1000)) { _ in }.cancel()
        limiter.acquire(within: .zero) { _ in }
      }
    }
  }

  @Test(
    "several limits: a caller that joins, leaves and is refused looks at few of those that wait",
    arguments: [
      Limit.slidingWindow(100_000, per: .seconds(1000)), .fixedWindow(100_000, per: .seconds(1000)),
    ])
  func leavingTheEnd(limit: Limit) {
    let (small, large) = (Self.leaving(behind: 300, limit), Self.leaving(behind: 10_000, limit))
    #expect(large < small * 5, "\(small) behind 300, \(large) behind 10,000")
  }

  /// The CPU time of callers that join with a deadline and leave, while others wait for a sliding
  /// window with so many events.
  private static func joins(behind events: Int) -> Duration {
    let clock = ManualClock()
    let limiter = RateLimiter(.slidingWindow(events, per: .seconds(1000)), clock: clock)
    for _ in 0..<events {
      clock.lapse(by: .nanoseconds(1))
      _ = limiter.tryAcquire()
    }
    for _ in 0..<3 { _ = limiter.acquire { _ in } }
    return ThreadTime.measure {
      for _ in 0..<100 { limiter.acquire(within: .seconds(1000)) { _ in }.cancel() }
    }
  }

  @Test("a large window, callers that join and leave: none pays for the events")
  func largeWindow() {
    let (small, large) = (Self.joins(behind: 300), Self.joins(behind: 1_000_000))
    #expect(large < small * 5, "\(small) with 300 events, \(large) with 1,000,000")
  }
}
