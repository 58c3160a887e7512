import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("KeyedRateLimiter: quotas that change")
struct KeyedQuotaTests {
  let clock = ManualClock()

  /// Makes a limiter whose keys have the quota that is set.
  private func limiter(
    _ quota: Locked<Quota>, maximumKeys: Int = 10, whenFull: FullTable = .forget
  ) -> KeyedRateLimiter<Int> {
    KeyedRateLimiter(maximumKeys: maximumKeys, whenFull: whenFull, clock: clock) { _ in
      quota.withLock { $0 }
    }
  }

  @Test("what was spent is kept, in tokens and not in time", arguments: [1, 100])
  func keepsTokens(new: Int) {
    let quota = Locked(Quota(rate: .perSecond(10), burst: 10))
    let limiter = limiter(quota)
    #expect(limiter.tryAcquire(10, for: 1))
    quota.withLock { $0 = Quota(rate: .perSecond(new), burst: 10) }
    #expect(limiter.available(for: 1) == 0)
    clock.advance(by: .seconds(1))
    #expect(limiter.available(for: 1) == min(new, 10))
  }

  @Test("a change counts from the first call that meets it, though it is a refusal or a look")
  func countsFromTheCall() {
    let quota = Locked(Quota(rate: .perSecond(10), burst: 10))
    let limiter = limiter(quota)
    #expect(limiter.tryAcquire(10, for: 1))
    quota.withLock { $0 = Quota(rate: .perSecond(1), burst: 10) }
    #expect(!limiter.peek(for: 1).isAllowed)
    clock.advance(by: .seconds(1))
    #expect(limiter.available(for: 1) == 1)
  }

  @Test("what was spent is kept when the burst changes", arguments: [1000, 5])
  func keepsSpent(burst: Int) {
    let quota = Locked(Quota(rate: .perSecond(10), burst: 10))
    let limiter = limiter(quota)
    #expect(limiter.tryAcquire(3, for: 1))
    quota.withLock { $0 = Quota(rate: .perSecond(10), burst: burst) }
    #expect(limiter.available(for: 1) == burst - 3)
  }

  @Test("what was spent is kept for a key with waiters too", arguments: [20, 5])
  func keepsSpentInQueue(burst: Int) {
    let quota = Locked(Quota(rate: .perSecond(10), burst: 10))
    let limiter = limiter(quota)
    let granted = Counter()
    #expect(limiter.tryAcquire(10, for: 1))
    limiter.acquire(4, for: 1) { if case .success = $0 { granted.add() } }
    quota.withLock { $0 = Quota(rate: .perSecond(10), burst: burst) }
    // The waiter's tokens are taken from what is there.
    #expect(limiter.available(for: 1) == burst - 10 - 4)
    clock.advance(by: .milliseconds(899))
    #expect(granted.value == (burst == 20 ? 1 : 0))
    clock.advance(by: .milliseconds(1))
    #expect(granted.value == 1)
  }

  @Test("strangers of several quotas mint nothing in the bucket that they share")
  func sharedBucket() {
    let limiter = KeyedRateLimiter<Int>(maximumKeys: 1, whenFull: .share, clock: clock) {
      Quota(rate: .perSecond($0 < 10 ? 1 : 1000), burst: 10)
    }
    #expect(limiter.tryAcquire(10, for: 1) && limiter.tryAcquire(10, for: 2))
    limiter.penalize(1000, for: 1)
    for _ in 0..<5 { #expect(!limiter.request(9, for: [3, 10]).isAllowed) }
    _ = limiter.peek(for: 10)
    clock.advance(by: .milliseconds(10))
    #expect(!limiter.tryAcquire(10, for: 3))
  }

  @Test("a thousand changes lose less than a token, and mint none")
  func manyQuotas() {
    let quota = Locked(Quota(rate: .perSecond(1), burst: 10))
    let limiter = limiter(quota)
    #expect(limiter.tryAcquire(10, for: 1))
    // Only the last ones are in use, so numbers are used again.
    for step in 1...1000 {
      quota.withLock { $0 = Quota(rate: Rate(step, per: .seconds(1000)), burst: 10) }
      #expect((-1...0).contains(limiter.available(for: 1)))
      _ = limiter.tryAcquire(for: 2 + step % 9)
    }
  }

  @Test("of more quotas than a table tells apart, the others keep the time")
  func tooManyQuotas() {
    let slow = Locked(Set<Int>())
    let limiter = KeyedRateLimiter<Int>(maximumKeys: 1000, clock: clock) { key in
      Quota(rate: .perSecond(slow.withLock { $0.contains(key) } ? 1 : key), burst: 10)
    }
    for key in 1...300 { #expect(limiter.tryAcquire(10, for: key)) }
    slow.withLock { $0 = [10, 300] }
    #expect(limiter.available(for: 10) == 0 && limiter.available(for: 300) == 9)
    #expect(limiter.available(for: 299) == 0)
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
    var buckets = [Int: BucketState<Int>]()
    var bursts = [Int: Int]()
    for step in 0..<400 {
      clock.advance(by: .milliseconds(Int.random(in: 0...200, using: &random)))
      let key = Int.random(in: 0..<30, using: &random)
      var quota = quotas.withLock { $0[key] } ?? all[0]
      if hasSeveral || step.isMultiple(of: 50) { quota = all.randomElement(using: &random)! }
      quotas.withLock { $0[key] = quota }
      let cost = Int.random(in: 0...4, using: &random)
      var bucket =
        buckets[key] ?? BucketState<Int>(rate: quota.rate, burst: quota.burst, at: clock.now)
      // A bucket that is full is forgotten, and full under its next quota too.
      let isFull = bucket.peek(0, at: clock.now).resetAfter == .zero
      let more = quota.burst - bursts[key, default: quota.burst]
      bursts[key] = quota.burst
      // What is spent is kept, and so a burst that is larger is as much more to spend.
      if !isFull, more < 0 { bucket.penalize(-more, at: clock.now) }
      bucket.reconfigure(
        rate: quota.rate, burst: quota.burst, inheriting: isFull ? .reset : .keep, at: clock.now)
      if !isFull, more > 0 { bucket.add(more, at: clock.now) }
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
}
