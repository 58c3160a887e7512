import Dispatch
import Pacing
import PacingTesting
import Testing

@Suite("KeyedRateLimiter: statistics")
struct KeyedStatisticsTests {
  let clock = ManualClock()

  @Test("a request for several keys counts once, in however many shards they are")
  func severalKeys() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 1, maximumKeys: 1_000_000, clock: clock)
    #expect(limiter.request(for: Array(0..<50)).decision.isAllowed)
    #expect(limiter.statistics.granted == 1 && limiter.statistics.refused == 0)
    #expect(!limiter.request(for: Array(0..<50)).decision.isAllowed)
    #expect(limiter.statistics.granted == 1 && limiter.statistics.refused == 1)
  }

  @Test("a cost of zero counts in each way to ask, with and without a queue")
  func nothing() async throws {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 1, maximumKeys: 10, clock: clock)
    for round in 1...2 {
      #expect(limiter.tryAcquire(0, for: 1))
      #expect(limiter.request(0, for: 1).isAllowed)
      #expect(limiter.request(0, for: [1, 2]).decision.isAllowed)
      try await limiter.acquire(0, for: 1)
      #expect(limiter.statistics.granted == 4 * round)
      limiter.pause(1, for: .seconds(1))
    }
  }

  @Test("what a closed limiter refuses counts, as that of any limit does")
  func closed() async {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 1, maximumKeys: 10, clock: clock)
    limiter.close()
    #expect(!limiter.tryAcquire(for: 1) && !limiter.request(for: 1).isAllowed)
    #expect(!limiter.request(for: [1, 2]).decision.isAllowed && !limiter.peek(for: 1).isAllowed)
    await #expect(throws: AcquireError.closed) { try await limiter.acquire(for: 1) }
    #expect(limiter.statistics.refused == 4 && limiter.statistics.granted == 0)
  }

  @Test("a completion on the main queue has its charge, and a key's quota is a limit")
  func mainActor() async {
    let quota = Quota(rate: .perSecond(1), burst: 2)
    let limiter = KeyedRateLimiter<Int>(maximumKeys: 10) { _ in quota }
    #expect(Limit.tokenBucket(quota) == .tokenBucket(rate: .perSecond(1), burst: 2))
    let charge = await withCheckedContinuation { continuation in
      limiter.acquire(2, for: 1, on: .queue(.main)) {
        MainActor.assertIsolated()
        continuation.resume(returning: try? $0.get())
      }
    }
    #expect(charge?.costs == 2 && charge?.key == 1)
    let limit = ConcurrencyLimit(1)
    let permit = await withCheckedContinuation { continuation in
      limit.acquire(on: .queue(.main)) {
        MainActor.assertIsolated()
        continuation.resume(returning: try? $0.get())
      }
    }
    #expect(permit != nil && limit.heldCount == 1)
  }
}
