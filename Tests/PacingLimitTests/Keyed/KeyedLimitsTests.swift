import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("KeyedRateLimiter: any limits for a key")
struct KeyedLimitsTests {
  private let clock = ManualClock()

  /// A limiter with two calls in any ten seconds for each key.
  private func limiter(_ maximumKeys: Int = 100, whenFull: WhenFull = .makeRoom)
    -> KeyedRateLimiter<Int>
  {
    KeyedRateLimiter(maximumKeys: maximumKeys, whenFull: whenFull, clock: clock) { _ in
      [.slidingWindow(2, per: .seconds(10))]
    }
  }

  @Test("all parts of a key are charged, or none, and the refusal names the part")
  func allOrNone() {
    let limiter = KeyedRateLimiter<String>(maximumKeys: 10, clock: clock) { key in
      key == "guest"
        ? [.fixedWindow(1, per: .seconds(60)).named("guests")]
        : [
          .tokenBucket(rate: .perSecond(1), burst: 2).named("fast"),
          .slidingWindow(3, per: .seconds(60)).named("slow"),
        ]
    }
    #expect(limiter.tryAcquire(for: "guest") && !limiter.tryAcquire(for: "guest"))
    #expect(limiter.tryAcquire(2, for: "a"))
    #expect(limiter.request(for: "a").refusedBy == "fast")
    clock.advance(by: .seconds(2))
    let refused = limiter.request(2, for: "a")
    #expect(refused.refusedBy == "slow" && refused.retryAfter == .seconds(58))
    #expect(limiter.available(for: "a") == 1 && limiter.available(for: "b") == 2)
  }

  @Test("a cost by name charges the named parts, and is settled")
  func costsByName() async throws {
    let limiter = KeyedRateLimiter<Int>(maximumKeys: 10, clock: clock) { _ in
      [
        .slidingWindow(10, per: .seconds(60)).named(.requests),
        .tokenBucket(rate: .perSecond(10), burst: 1000).named(.tokens),
      ]
    }
    let spent = try await limiter.acquire([.requests: 1, .tokens: 900], for: 1)
    #expect(spent.costs == [.requests: 1, .tokens: 900])
    let refused = limiter.request([.requests: 1, .tokens: 200], for: 1)
    #expect(refused.refusedBy == .tokens && refused.retryAfter == .seconds(10))
    #expect(spent.settle([.tokens: 300]))
    #expect(limiter.request([.requests: 1, .tokens: 700], for: 1).isAllowed)
    #expect(limiter.request([.requests: 8], for: 1).isAllowed)
    #expect(limiter.request([.requests: 1], for: 1).refusedBy == .requests)
  }

  @Test("in a full table `peek` says of a new key what `request` does", arguments: [true, false])
  func peekWithoutRoom(isBucket: Bool) {
    let limiter =
      isBucket
      ? KeyedRateLimiter<Int>(
        rate: .perSecond(1), burst: 2, maximumKeys: 1, whenFull: .refuse, clock: clock)
      : KeyedRateLimiter<Int>(maximumKeys: 1, whenFull: .refuse, clock: clock) { _ in
        [.slidingWindow(2, per: .seconds(2))]
      }
    #expect(limiter.tryAcquire(for: 1))
    for cost in 0...3 {
      let decision = limiter.peek(cost, for: 2)
      #expect(decision.isAllowed == (cost == 0) && decision.isPossible == (cost < 3))
      #expect(decision == limiter.request(cost, for: 2))
    }
  }

  @Test("a key of which nothing counts any more is no longer stored")
  func atRest() {
    let limiter = limiter(10_000)
    for key in 0..<5000 { #expect(limiter.tryAcquire(for: key)) }
    #expect(limiter.peek(for: -1).isAllowed && limiter.available(for: -2) == 2)
    #expect(!limiter.tryAcquire(3, for: -3))
    #expect(limiter.keyCount == 5000)
    clock.advance(by: .seconds(10))
    #expect(limiter.available(for: 0) == 2 && limiter.keyCount == 4999)
    for _ in 0..<120 {
      clock.advance(by: .milliseconds(500))
      _ = limiter.peek(for: 0)
    }
    #expect(limiter.keyCount == 0 && limiter.forgottenCount == 0)
    #expect(limiter.statistics.granted == 5000 && limiter.statistics.refused == 1)
  }

  @Test("a full table forgets the key that is nearest to its rest")
  func forgetting() {
    let limiter = limiter(3)
    for key in 0..<3 {
      #expect(limiter.tryAcquire(2, for: key))
      clock.advance(by: .seconds(1))
    }
    #expect(limiter.peek(for: 3).isAllowed && !limiter.tryAcquire(3, for: 3))
    #expect(!limiter.penalize(1, for: 3) && !limiter.pause(3, for: .seconds(1)))
    #expect(!limiter.tryAcquire(for: 0) && limiter.forgottenCount == 0)
    #expect(limiter.tryAcquire(2, for: 3))
    #expect(limiter.keyCount == 3 && limiter.forgottenCount == 1)
    #expect(!limiter.tryAcquire(for: 1) && !limiter.tryAcquire(for: 2))
    // All of several new keys, at the cost of those that are not asked for.
    #expect(!limiter.request(for: [1, 4]).decision.isAllowed)
    clock.advance(by: .seconds(8))
    #expect(limiter.request(for: [1, 4]).decision.isAllowed)
    #expect(limiter.keyCount == 3 && limiter.available(for: 1) == 1)
  }

  @Test("a full table refuses a new key until the first of a sample rests, and names the table")
  func refusing() throws {
    let limiter = limiter(2, whenFull: .refuse)
    #expect(limiter.tryAcquire(for: 0))
    clock.advance(by: .seconds(1))
    #expect(limiter.tryAcquire(for: 1))
    let refused = limiter.request(for: 2)
    #expect(refused == limiter.peek(for: 2))
    #expect(refused.refusedBy == Limit.Name.table && refused.retryAfter == .seconds(9))
    #expect(refused.isPossible && !limiter.request(3, for: 2).isPossible)
    #expect(limiter.request(0, for: 2).isAllowed && limiter.peek(0, for: 2).isAllowed)
    #expect(!limiter.tryAcquire(for: 2) && limiter.take(upTo: 1, for: 2) == 0)
    let several = limiter.request(for: [1, 2])
    #expect(several.key == 2 && several.decision.refusedBy == Limit.Name.table)
    #expect(limiter.available(for: 1) == 1)
    let told = Locked<AcquireError.Reason?>(nil)
    limiter.acquire(for: 2) { result in told.withLock { $0 = result.failure?.reason } }
    clock.runReady()
    #expect(told.withLock { $0 } == .deadline)
    clock.advance(by: .seconds(9))
    #expect(limiter.request(for: [1, 2]).decision.isAllowed && limiter.forgottenCount == 0)
  }

  @Test("a key with waiters or a pause is not forgotten, and rests again afterwards")
  func waiters() throws {
    let limiter = limiter(2)
    #expect(limiter.tryAcquire(2, for: 0) && limiter.pause(1, for: .seconds(5)))
    let granted = Locked<KeyedRateLimiter<Int>.Charge?>(nil)
    limiter.acquire(for: 0) { result in granted.withLock { $0 = try? result.get() } }
    #expect(!limiter.tryAcquire(for: 2) && limiter.request(for: 2).retryAfter == nil)
    #expect(limiter.waitingCount == 1)
    clock.advance(by: .seconds(5))
    #expect(limiter.tryAcquire(for: 2), "the paused key is gone")
    clock.advance(by: .seconds(5))
    let charge = try #require(granted.withLock { $0 })
    #expect(charge.instant == clock.now)
    charge.cancel()
    #expect(limiter.keyCount == 1 && limiter.available(for: 0) == 2)
    limiter.reset(2)
    #expect(limiter.keyCount == 0 && clock.pendingCount == 0)
    #expect(charge.settle(3) && limiter.available(for: 0) == 0)
  }

  @Test("windows on a grid begin at the limiter's creation for every key")
  func grid() {
    let limiter = KeyedRateLimiter<Int>(maximumKeys: 100, clock: clock) { _ in
      [.fixedWindow(1, per: .seconds(10), fromCreation: true)]
    }
    clock.advance(by: .seconds(7))
    #expect(limiter.tryAcquire(for: 1) && limiter.request(for: 1).retryAfter == .seconds(3))
    limiter.reset(1)
    #expect(limiter.tryAcquire(for: 1) && limiter.request(for: 1).retryAfter == .seconds(3))
    clock.advance(by: .seconds(16))
    #expect(limiter.tryAcquire(for: 1) && limiter.request(for: 1).retryAfter == .seconds(7))
  }

  @Test("a stream takes grants in turn, and ends with the limiter")
  func ticks() async {
    let limiter = limiter()
    var ticks = limiter.ticks(for: 1).makeAsyncIterator()
    #expect(await ticks.next() == clock.now)
    #expect(await ticks.next() == clock.now)
    limiter.close()
    #expect(await ticks.next() == nil)
    #expect(!limiter.tryAcquire(for: 2) && !limiter.request(for: [1, 2]).decision.isAllowed)
  }

  @Test("threads that meet at a few keys are granted what the windows hold, and no more")
  func crowd() async {
    let limiter = KeyedRateLimiter<Int>(maximumKeys: 8, clock: clock) { key in
      [.slidingWindow(100 + key, per: .seconds(60)), .tokenBucket(rate: .perHour(1), burst: 500)]
    }
    let granted = Locked([Int](repeating: 0, count: 8))
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for call in 0..<400 {
            let key = (task + call) % 8
            let isGranted =
              call % 5 == 0
              ? limiter.request(for: [key, (key + 1) % 8]).decision.isAllowed
              : limiter.tryAcquire(for: key)
            guard isGranted else { continue }
            granted.withLock {
              $0[key] += 1
              if call % 5 == 0 { $0[(key + 1) % 8] += 1 }
            }
          }
        }
      }
    }
    for key in 0..<8 {
      #expect(granted.withLock { $0[key] } == 100 + key - limiter.available(for: key))
      #expect(limiter.available(for: key) <= 1)
    }
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
