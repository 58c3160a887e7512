import Dispatch
import Pacing
import Synchronization
import TestSupport
import Testing

@Suite("TokenBucket: threads in real time", .alone)
struct TokenBucketStressTests {
  /// The times at which a grant was requested and received, which enclose the grant.
  struct Grant {
    let cost: Int
    let asked: Nanoseconds
    let had: Nanoseconds
  }

  static func nanoseconds(_ clock: some Clock<Duration>) -> Nanoseconds {
    Nanoseconds(roundingUp: PacingInstant(nanoseconds: 0).duration(to: clock.service.now))
  }

  @Test("eight threads have at most the burst and what comes, over every interval")
  func law() {
    let clock = DispatchClock.dispatch
    let bucket = TokenBucket(rate: .perSecond(200_000), burst: 50)
    let grants = Locked([Grant]())
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      var own = [Grant]()
      for _ in 0..<1000 * Soak.scale {
        let cost = Int.random(in: 1...5, using: &random)
        let asked = Self.nanoseconds(clock)
        if bucket.tryAcquire(cost) {
          own.append(Grant(cost: cost, asked: asked, had: Self.nanoseconds(clock)))
        }
      }
      grants.withLock { $0 += own }
    }
    let all = grants.withLock { $0 }.sorted { $0.had < $1.had }
    #expect(!all.isEmpty)
    // A request after `start` that returned before `end` was granted between the two.
    for first in stride(from: 0, to: all.count, by: max(1, all.count / 100)) {
      let start = all[first].asked
      var sum = 0
      let excess = all[first...].first { grant in
        guard grant.asked >= start else { return false }
        sum += grant.cost
        return sum * 5000 > 50 * 5000 + (grant.had - start)
      }
      #expect(excess == nil, "\(sum) tokens since \(start)")
    }
  }

  @Test(
    "Netflix/concurrency-limits#179: in no race of grant and cancellation a token is lost or spent twice"
  )
  func races() async {
    // Only `add` adds tokens, so that they can be counted.
    let bucket = TokenBucket(rate: .none, burst: 1 << 40, initial: 0)
    let count = 750 * Soak.scale
    let left = CountDown(12 * count)
    let balance = Atomic(0)
    let withdrawn = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 16) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for _ in 0..<count {
        switch thread % 8 {
        case 0..<2:
          bucket.add(1)
          balance.add(1, ordering: .relaxed)
        case 2..<4:
          let actual = Int.random(in: 0...2, using: &random)
          bucket.acquire(within: .zero) { result in
            if let charge = try? result.get() {
              charge.settle(actual)
              balance.subtract(actual, ordering: .relaxed)
            }
            left.arrive()
          }
        default:
          let handle = bucket.acquire { _ in
            balance.subtract(1, ordering: .relaxed)
            left.arrive()
          }
          guard Bool.random(using: &random), handle.cancel() else { continue }
          withdrawn.add(1, ordering: .relaxed)
          left.arrive()
        }
      }
    }
    // Serves the remaining waiters.
    let missing = max(0, -bucket.available)
    bucket.add(missing)
    await left.wait()
    #expect(bucket.waitingCount == 0)
    #expect(bucket.available == balance.load(ordering: .relaxed) + missing)
    #expect(bucket.statistics.withdrawn == withdrawn.load(ordering: .relaxed))
  }
}
