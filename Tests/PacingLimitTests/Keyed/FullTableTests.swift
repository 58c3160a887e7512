import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("KeyedRateLimiter: a full table")
struct FullTableTests {
  let clock = ManualClock()

  @Test("one heavy debt locks no newcomer out", arguments: [WhenFull.makeRoom, .refuse])
  func heavyDebt(whenFull: WhenFull) {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(5), burst: 10, maximumKeys: 1000, whenFull: whenFull, clock: clock)
    for key in 0..<1000 { #expect(limiter.tryAcquire(for: key)) }
    limiter.penalize(1_000_000_000, for: 7)
    #expect(whenFull == .makeRoom || !limiter.tryAcquire(for: 1000))
    clock.advance(by: .seconds(1))
    // All but one are full again.
    #expect(limiter.tryAcquire(for: 1001) && limiter.forgottenCount == 0)
    #expect(!limiter.tryAcquire(for: 7))
  }

  @Test("refuses until a bucket of a sample is full, and names the table")
  func refusing() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perMinute(1), burst: 100, maximumKeys: 1000, whenFull: .refuse, clock: clock)
    for key in 0..<720 { #expect(limiter.tryAcquire(100, for: key)) }
    for key in 720..<1000 { #expect(limiter.tryAcquire(1, for: key)) }
    let refused = limiter.request(for: 1000)
    #expect(refused.refusedBy == Limit.Name.table && refused.isPossible)
    #expect([.seconds(60), .seconds(6000)].contains(refused.retryAfter))
    limiter.reset(3)
    #expect(limiter.tryAcquire(for: 1000) && !limiter.tryAcquire(for: 1001))
    clock.advance(by: .seconds(6000))
    #expect(limiter.tryAcquire(for: 1001), "by then any sample is full")
  }

  @Test("invented keys lock no first-time user out, and forget what is nearest to full")
  func inventedKeys() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perMinute(1), burst: 12, maximumKeys: 5000, clock: clock)
    for key in 0..<10_000 { #expect(limiter.tryAcquire(key % 2 == 0 ? 12 : 1, for: key)) }
    #expect(limiter.keyCount <= 5000 && limiter.forgottenCount == 5000)
    #expect(limiter.tryAcquire(for: -1))
    // Most buckets that spent all their tokens outlive those that spent one, at least in the second
    // half.
    let heavy = (5000..<10_000).count { $0 % 2 == 0 && !limiter.peek(for: $0).isAllowed }
    #expect(heavy > 1800)
  }

  @Test("a request for more new keys than there may be is refused for ever, not before the past")
  func tooMany() {
    for whenFull in [WhenFull.refuse, .makeRoom] {
      let limiter = KeyedRateLimiter<Int>(
        rate: .perSecond(1), burst: 2, maximumKeys: 1, whenFull: whenFull, clock: clock)
      let refused = limiter.request(for: [1, 2])
      #expect(!refused.decision.isAllowed && refused.decision.retryAfter == nil)
      #expect(limiter.tryAcquire(for: 1) && limiter.keyCount == 1)
    }
  }

  @Test("several keys forget others, never one another")
  func severalKeys() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 2, maximumKeys: 3, clock: clock)
    for key in 1...3 { #expect(limiter.tryAcquire(key == 2 ? 1 : 2, for: key)) }
    #expect(limiter.request(for: [2, 4, 5]).decision.isAllowed)
    #expect(limiter.forgottenCount == 2 && limiter.keyCount == 3)
    #expect(!limiter.tryAcquire(for: 2) && limiter.tryAcquire(for: 4))
  }

  @Test("a refusal and a look forget no key")
  func refusalsForgetNothing() {
    let limiter = KeyedRateLimiter<Int>(rate: .perSecond(1), burst: 2, maximumKeys: 1, clock: clock)
    #expect(limiter.tryAcquire(2, for: 1))
    #expect(limiter.peek(for: 2).isAllowed && limiter.request(0, for: 2).isAllowed)
    #expect(!limiter.tryAcquire(3, for: 2))
    #expect(!limiter.penalize(1, for: 2))
    #expect(!limiter.tryAcquire(for: 1) && limiter.forgottenCount == 0)
  }

  @Test("a key that is not full at first and is granted nothing takes no room, and forgets no key")
  func untouched() async {
    for whenFull in [WhenFull.makeRoom, .refuse] {
      let limiter = KeyedRateLimiter<Int>(maximumKeys: 1, whenFull: whenFull, clock: clock) { _ in
        [.tokenBucket(rate: .perSecond(1), burst: 10, initial: 0)]
      }
      clock.advance(by: .seconds(5))
      #expect(!limiter.tryAcquire(6, for: 2) && limiter.keyCount == 0)
      #expect(limiter.tryAcquire(5, for: 1))
      #expect(!limiter.request(6, for: 2).isAllowed && !limiter.request(11, for: 2).isPossible)
      #expect(limiter.tryAcquire(0, for: 2) && limiter.take(upTo: 0, for: 2) == 0)
      await #expect(throws: AcquireError.self) {
        try await limiter.acquire(6, for: 2, within: .zero)
      }
      #expect(limiter.forgottenCount == 0 && limiter.keyCount == 1)
      #expect(!limiter.tryAcquire(for: 1))
      #expect(limiter.statistics.granted == 2 && limiter.statistics.refused == 5)
    }
  }

  @Test(
    "under `.makeRoom` a penalty or a pause of a new key has the room of a key that is full again")
  func chargedNewcomer() {
    for pauses in [false, true] {
      let limiter = KeyedRateLimiter<Int>(
        rate: .perSecond(1), burst: 2, maximumKeys: 2, clock: clock)
      for key in 0..<2 { #expect(limiter.tryAcquire(2, for: key)) }
      // Nothing is full: neither may forget a debt.
      limiter.penalize(1, for: 2)
      #expect(!limiter.pause(2, for: .seconds(1)) && limiter.available(for: 2) == 2)
      clock.advance(by: .seconds(10))
      if pauses {
        #expect(limiter.pause(2, for: .seconds(1)) && !limiter.tryAcquire(for: 2))
      } else {
        limiter.penalize(100, for: 2)
        #expect(limiter.available(for: 2) == -98)
      }
      #expect(limiter.forgottenCount == 0)
    }
  }

  @Test("shrinks to the keys in use within a minute of calls, and no timer runs for it")
  func shrinking() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 1, maximumKeys: 200_000, clock: clock)
    for key in 0..<100_000 { _ = limiter.tryAcquire(for: key) }
    #expect(limiter.keyCount > 90_000)
    for _ in 0..<120 {
      clock.advance(by: .milliseconds(500))
      for key in 0..<10 { _ = limiter.tryAcquire(for: key) }
    }
    #expect(limiter.keyCount < 2_000 && clock.pendingCount == 0)
  }
}
