import Pacing
import PacingTesting
import Testing

@testable import TestSupport

@Suite("KeyedRateLimiter: quotas that change")
struct KeyedQuotaTests {
  let clock = ManualClock()

  /// Makes a limiter whose keys have the quota that is set.
  private func limiter(
    _ quota: Locked<Quota>, maximumKeys: Int = 10, whenFull: WhenFull = .makeRoom
  ) -> KeyedRateLimiter<Int> {
    KeyedRateLimiter(maximumKeys: maximumKeys, whenFull: whenFull, clock: clock) { _ in
      quota.withLock { $0 }
    }
  }

  @Test("a bucket is full when it would have been under its last quota", arguments: [1, 100])
  func keepsTime(new: Int) {
    let quota = Locked(Quota(rate: .perSecond(10), burst: 10))
    let limiter = limiter(quota)
    #expect(limiter.tryAcquire(5, for: 1))
    quota.withLock { $0 = Quota(rate: .perSecond(new), burst: 10) }
    #expect(limiter.available(for: 1) == (new == 1 ? 9 : -40))
    clock.advance(by: .milliseconds(499))
    #expect(limiter.available(for: 1) == 9)
    clock.advance(by: .milliseconds(1))
    #expect(limiter.available(for: 1) == 10)
  }

  @Test("so is that of a key with waiters, which are served by the new quota", arguments: [20, 5])
  func keepsTimeInQueue(burst: Int) {
    let quota = Locked(Quota(rate: .perSecond(10), burst: 10))
    let limiter = limiter(quota)
    let granted = Counter()
    #expect(limiter.tryAcquire(10, for: 1))
    limiter.acquire(4, for: 1) { if case .success = $0 { granted.add() } }
    quota.withLock { $0 = Quota(rate: .perSecond(10), burst: burst) }
    // A second is missing to a full bucket, and the waiter's tokens are taken.
    #expect(limiter.available(for: 1) == burst - 10 - 4)
    clock.advance(by: .milliseconds(899))
    #expect(granted.value == (burst == 20 ? 1 : 0))
    clock.advance(by: .milliseconds(1))
    #expect(granted.value == 1)
  }

  @Test("a waiter that a new quota makes due is served before the call that brings it")
  func servesFirst() {
    let quota = Locked(Quota(rate: .perSecond(10), burst: 1))
    let limiter = limiter(quota)
    let granted = Counter()
    #expect(limiter.tryAcquire(for: 1))
    limiter.acquire(for: 1) { if case .success = $0 { granted.add() } }
    // The bucket is full in a hundred milliseconds, and holds a hundred tokens already.
    quota.withLock { $0 = Quota(rate: .perSecond(1000), burst: 200) }
    #expect(limiter.tryAcquire(99, for: 1) && !limiter.tryAcquire(for: 1))
    clock.runReady()
    #expect(granted.value == 1)
  }

  @Test(
    "answers as a bucket for each key would that is reconfigured at each call",
    arguments: Soak.seeds(30), [false, true])
  func oracle(seed: UInt64, hasSeveral: Bool) {
    var random = SplitMix64(seed: seed)
    let all = [1, 2, 5, 10].flatMap { rate in
      [3, 10].map { Quota(rate: .perSecond(rate), burst: $0) }
    }
    let quotas = Locked([Int: Quota]())
    let limiter = KeyedRateLimiter<Int>(maximumKeys: 100, clock: clock) { key in
      quotas.withLock { $0[key]! }
    }
    var buckets = [Int: InstantLimit]()
    for step in 0..<400 {
      clock.advance(by: .milliseconds(Int.random(in: 0...200, using: &random)))
      let key = Int.random(in: 0..<30, using: &random)
      var quota = quotas.withLock { $0[key] } ?? all[0]
      if hasSeveral || step.isMultiple(of: 50) { quota = all.randomElement(using: &random)! }
      quotas.withLock { $0[key] = quota }
      let cost = Int.random(in: 0...4, using: &random)
      var bucket =
        buckets[key] ?? InstantLimit(rate: quota.rate, burst: quota.burst, at: clock.now)
      bucket.adopt(quota, at: clock.now)
      if Int.random(in: 0..<20, using: &random) == 0 {
        limiter.penalize(cost, for: key)
        bucket.penalize(cost, at: clock.now)
      } else {
        let expected = bucket.request(cost, at: clock.now)
        #expect(limiter.request(cost, for: key) == expected, "seed \(seed), step \(step)")
      }
      buckets[key] = bucket
    }
  }

  @Test("a burst that would fill for more than 200 years is one of 200, and is granted once")
  func longBurst() {
    let quota = Quota(rate: .perSecond(1), burst: 100_000_000_000)
    let limiter = KeyedRateLimiter<Int>(maximumKeys: 10, clock: clock) { _ in quota }
    let granted = (0..<50).count { _ in limiter.tryAcquire(1_000_000_000, for: 1) }
    #expect(granted == 6 && limiter.available(for: 1) == 311_520_000)
    clock.advance(by: .seconds(1_000_000_000))
    #expect(limiter.tryAcquire(1_311_520_000, for: 1) && !limiter.tryAcquire(for: 1))
    // Beyond that a debt has no end, but for a reset.
    limiter.penalize(.max, for: 1)
    clock.advance(by: .seconds(6_311_520_000))
    #expect(!limiter.tryAcquire(for: 1))
    limiter.reset(1)
    #expect(limiter.tryAcquire(for: 1))
  }

  @Test("a clock that jumps over centuries, back and forth, is no trap")
  func jumps() {
    let foreign = ForeignClock()
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 1, maximumKeys: 10, clock: foreign)
    let year = Duration.seconds(365 * 86_400)
    for years in [-200, 200, -290, 290] {
      foreign.base.wallTime = year * years
      _ = limiter.tryAcquire(for: 1)
    }
    #expect(limiter.statistics.granted == 3)
  }
}
