import Pacing
import PacingTesting
import TestSupport
import Testing

/// What a step costs behind few and behind many that wait: the same, up to a small factor.
@Suite("Limits: long queues", .alone)
struct QueueLoadTests {
  private let clock = ManualClock()

  /// A step that looked at all that wait would cost twenty times as much behind 4,000.
  private func expectSameCost(
    behind few: Int = 200, and many: Int = 4_000, _ cost: (Int) -> Duration
  ) {
    func least(behind count: Int) -> Duration { (0..<3).map { _ in cost(count) }.min()! }
    let (small, large) = (least(behind: few), least(behind: many))
    #expect(large < small * 5, "\(small) behind \(few), \(large) behind \(many)")
  }

  @Test("newest first with deadlines: each arrival is cheap")
  func newestFirst() {
    expectSameCost { waiters in
      let bucket = TokenBucket(
        rate: .perSecond(1000), burst: 1, initial: 0, queue: QueuePolicy(newestFirst: true),
        clock: clock)
      let refused = Counter()
      func arrive() {
        _ = bucket.acquire(within: .milliseconds(waiters)) { result in
          if case .failure = result { refused.add() }
        }
      }
      for _ in 0..<waiters { arrive() }
      let time = ThreadTime.measure { for _ in 0..<300 { arrive() } }
      clock.runReady()
      #expect(bucket.waitingCount == waiters + 300 && refused.value == 0)
      return time
    }
  }

  private func limiter(_ limit: Limit = .slidingWindow(100_000, per: .seconds(1000))) -> RateLimiter
  {
    RateLimiter(.tokenBucket(rate: .perSecond(1000), burst: 1), limit, clock: clock)
  }

  @Test("several limits: an untimed caller is cheap")
  func severalLimits() {
    expectSameCost { waiters in
      let limiter = limiter()
      for _ in 0..<waiters { _ = limiter.acquire { _ in } }
      return ThreadTime.measure {
        for _ in 0..<200 {
          clock.lapse(by: .microseconds(1500))
          _ = limiter.acquire { _ in }
        }
      }
    }
  }

  @Test("several limits, timed waiters: leavers and late grants make no arrival dear")
  func leavers() {
    expectSameCost(behind: 400, and: 8_000) { waiters in
      let limiter = limiter()
      _ = limiter.tryAcquire()
      let handles = (0..<waiters).map { _ in limiter.acquire(within: .seconds(1000)) { _ in } }
      return ThreadTime.measure {
        for handle in handles.dropFirst(waiters / 2).prefix(200) {
          handle.cancel()
          clock.lapse(by: .microseconds(1500))
          _ = limiter.acquire(within: .seconds(1000)) { _ in }
        }
      }
    }
  }

  @Test(
    "several limits: a caller that joins, leaves and is refused looks at few of those that wait",
    arguments: [
      Limit.slidingWindow(100_000, per: .seconds(1000)), .fixedWindow(100_000, per: .seconds(1000)),
    ])
  func leavingTheEnd(limit: Limit) {
    expectSameCost { waiters in
      let limiter = limiter(limit)
      _ = limiter.tryAcquire()
      let granted = (0..<200).map { _ in limiter.acquire(within: .seconds(1000)) { _ in } }
      for _ in 0..<waiters { limiter.acquire(within: .seconds(1000)) { _ in } }
      clock.advance(by: .milliseconds(200))
      return ThreadTime.measure {
        for granted in granted {
          granted.cancel()
          limiter.acquire(within: .seconds(1000)) { _ in }.cancel()
          limiter.acquire(within: .zero) { _ in }
        }
      }
    }
  }

  @Test("a large window, callers that join and leave: none pays for the events")
  func largeWindow() {
    expectSameCost(and: 10_000) { events in
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
  }
}
