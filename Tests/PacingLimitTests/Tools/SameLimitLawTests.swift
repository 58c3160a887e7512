import Pacing
import TestSupport
import Testing

/// Two implementations of one limit: a bucket, and a limiter with only that bucket.
@Suite("Limits: a bucket by itself and in a limiter")
struct SameLimitLawTests {
  struct Pair {
    var bucket: BucketState<Int>
    var limiter: RateLimiterState<Int>
    let burst: Int
    var now = 0
    /// The first difference; nil if there is none.
    private(set) var difference: String?
    private var places = [(BucketState<Int>.Place, RateLimiterState<Int>.Place)]()

    init(using random: inout SplitMix64) {
      let rate = Rate(
        Int.random(in: 1...6, using: &random),
        per: .nanoseconds(Int.random(in: 1...40, using: &random)))
      let burst = Int.random(in: 1...4, using: &random)
      let initial = Int.random(in: 0...burst, using: &random)
      let queue = QueuePolicy(
        maximumWaiters: [nil, nil, 0, 1, 3].randomElement(using: &random)!,
        order: Bool.random(using: &random) ? .oldestFirst : .newestFirst,
        whenFull: Bool.random(using: &random) ? .refuseNewest : .dropOldest)
      bucket = BucketState(
        rate: rate, burst: burst, initial: initial, queue: queue, at: LimitLawTests.at(0))
      limiter = RateLimiterState(
        [.tokenBucket(rate: rate, burst: burst, initial: initial)], queue: queue,
        at: LimitLawTests.at(0))
      self.burst = burst
    }

    private mutating func expect<Value: Equatable>(
      _ what: String, _ ofBucket: Value, _ ofLimiter: Value
    ) {
      guard difference == nil, ofBucket != ofLimiter else { return }
      difference = "\(what): \(ofBucket) and \(ofLimiter)"
    }

    private mutating func serve(by instant: PacingInstant) {
      while difference == nil, let served = bucket.grantNext(at: instant) {
        expect("served", served, limiter.grantNext(at: instant))
      }
      expect("served", nil, limiter.grantNext(at: instant))
    }

    private mutating func review() {
      let instant = LimitLawTests.at(now)
      serve(by: instant)
      let refused = (bucket.refuseHopeless(at: instant), limiter.refuseHopeless(at: instant))
      expect("refused", refused.0.map(\.payload), refused.1.map(\.payload))
      expect("why", refused.0.map(\.error), refused.1.map(\.error))
      serve(by: instant)
    }

    private mutating func look(_ cost: Int) {
      let instant = LimitLawTests.at(now)
      let looks = (bucket.peek(cost, at: instant), limiter.peek(cost, at: instant))
      expect("allowed", looks.0.isAllowed, looks.1.isAllowed)
      expect("retryAfter", looks.0.retryAfter, looks.1.retryAfter)
      expect("remaining", looks.0.remaining, looks.1.remaining)
      expect("resetAfter", looks.0.resetAfter, looks.1.resetAfter)
      expect("available", bucket.available(at: instant), limiter.available(at: instant))
      expect("deadline", bucket.deadline, limiter.deadline)
      expect("statistics", bucket.statistics, limiter.statistics)
    }

    private mutating func admit(_ name: Int, _ cost: Int, within timeout: Nanoseconds?) {
      let instant = LimitLawTests.at(now)
      let admission = bucket.admit(cost, within: timeout, at: instant)
      expect("admission", admission, limiter.admit(cost, within: timeout, at: instant))
      guard admission == .mustWait else { return }
      expect("displaced", bucket.displace(), limiter.displace())
      places.append(
        (
          bucket.join(cost, as: name, within: timeout),
          limiter.join(cost, as: name, within: timeout)
        ))
    }

    /// One step: time passes, and a caller arrives, waits or leaves.
    mutating func act(_ step: Int, using random: inout SplitMix64) {
      let next = now + [0, 0, 1, 2, 7, 30].randomElement(using: &random)!
      // Served at the deadline, or late.
      while Bool.random(using: &random), bucket.deadline <= LimitLawTests.at(next) {
        serve(by: bucket.deadline)
      }
      now = next
      review()
      let cost = Int.random(in: 0...burst + 1, using: &random)
      look(cost)
      let instant = LimitLawTests.at(now)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let isAllowed = bucket.tryAcquire(cost, at: instant)
        expect("tried", isAllowed, limiter.tryAcquire(cost, at: instant))
      case 2:
        let taken = bucket.take(upTo: cost, at: instant)
        expect("taken", taken, limiter.take(upTo: cost, at: instant))
      case 3 where !places.isEmpty:
        let place = places.remove(at: Int.random(in: 0..<places.count, using: &random))
        expect("left", bucket.withdraw(place.0), limiter.withdraw(place.1))
      case 4:
        let end = LimitLawTests.at(now + Int.random(in: 0...20, using: &random))
        bucket.pause(until: end, at: instant)
        limiter.pause(until: end, at: instant)
        review()
        guard Bool.random(using: &random) else { return }
        bucket.resume(at: instant)
        limiter.resume(at: instant)
      default:
        let timeout = ([nil, 0, 5, 20, 60] as [Nanoseconds?]).randomElement(using: &random)!
        admit(step, cost, within: timeout)
      }
      review()
    }
  }

  @Test(
    "answer, serve and refuse alike, waiters, queue policies and fractions included",
    arguments: Soak.seeds(200))
  func agree(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var pair = Pair(using: &random)
    for step in 0..<150 {
      pair.act(step, using: &random)
      #expect(pair.difference == nil, "seed \(seed), step \(step)")
      guard pair.difference == nil else { return }
    }
  }

  @Test("a waiter that a pause held up takes its tokens at the instant at which the pause is ended")
  func endedPause() {
    let limit = Limit.tokenBucket(rate: Rate(2, per: .nanoseconds(9)), burst: 1, initial: 0)
    var limiter = RateLimiterState<Int>([limit], at: LimitLawTests.at(0))
    #expect(limiter.admit(1, within: nil, at: LimitLawTests.at(0)) == .mustWait)
    _ = limiter.join(1, as: 1)
    limiter.pause(until: LimitLawTests.at(20), at: LimitLawTests.at(1))
    // The token came half a nanosecond before.
    #expect(limiter.grantNext(at: LimitLawTests.at(5)) == nil)
    limiter.resume(at: LimitLawTests.at(5))
    #expect(limiter.grantNext(at: LimitLawTests.at(5)) == 1)
    #expect(limiter.peek(1, at: LimitLawTests.at(5)).retryAfter == .nanoseconds(5))
  }
}
