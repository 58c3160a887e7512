import PacingTesting
import TestSupport
import Testing

@testable import Pacing

@Suite("Charge")
struct ChargeTests {
  let clock = ManualClock()
  let log: GrantLog

  init() { log = GrantLog(clock) }

  private func bucket(_ burst: Int = 10, initial: Int? = nil) -> TokenBucket {
    TokenBucket(rate: .every(.milliseconds(10)), burst: burst, initial: initial, clock: clock)
  }

  // MARK: Buckets

  @Test("what was charged too much is given back now, and serves waiters")
  func down() async throws {
    let bucket = bucket()
    let spent = try await bucket.acquire(10)
    bucket.acquire(4, completion: log.charge("a"))
    bucket.acquire(4, completion: log.charge("b"))
    spent.settle(3)
    #expect(log.lines == ["a 0"])
    #expect(bucket.available == -1)
    clock.advance(by: .milliseconds(10))
    #expect(log.lines == ["a 0", "b 10"])
  }

  @Test("it is given back up to a full bucket")
  func full() async throws {
    let bucket = bucket()
    let spent = try await bucket.acquire(6)
    clock.advance(by: .milliseconds(40))
    spent.settle(1)
    #expect(bucket.available == 10)
  }

  @Test("what is missing is charged now, even into debt, and delays what comes after")
  func up() async throws {
    let bucket = bucket()
    let spent = try await bucket.acquire(4)
    #expect(spent.costs == 4 && spent.instant == clock.now)
    spent.settle(30)
    #expect(bucket.available == -20)
    #expect(bucket.request().retryAfter == .milliseconds(210))
    let handle = bucket.acquire(completion: log.charge("a"))
    #expect(handle.expectedWait == .milliseconds(210))
    clock.advance(by: .milliseconds(210))
    #expect(log.lines == ["a 210"])
  }

  @Test("a settlement as charged begins no window")
  func sameInALaterWindow() async throws {
    let limiter = RateLimiter(.fixedWindow(2, per: .milliseconds(10)), clock: clock)
    let spent = try await limiter.acquire()
    clock.advance(by: .milliseconds(15))
    spent.settle(1)
    clock.advance(by: .milliseconds(3))
    #expect(limiter.tryAcquire(2))
    clock.advance(by: .milliseconds(8))
    #expect(!limiter.tryAcquire())
    clock.advance(by: .milliseconds(2))
    #expect(limiter.tryAcquire())
  }

  @Test("a settlement as charged changes nothing, a cancellation gives all of it back")
  func same() async throws {
    let bucket = bucket()
    let spent = try await bucket.acquire(4)
    spent.settle(4)
    #expect(bucket.available == 6)
    spent.cancel()
    #expect(bucket.available == 10)
  }

  @Test("a caller that does not wait gets a charge, too, and so does a completion")
  func withoutWaiting() async throws {
    let bucket = bucket(10, initial: 5)
    let spent = try await bucket.acquire(3, within: .zero)
    await #expect(throws: AcquireError.self) { try await bucket.acquire(3, within: .zero) }
    spent.cancel()
    #expect(bucket.available == 5)
    let charge = Locked<Charge?>(nil)
    bucket.acquire(7) { result in
      charge.withLock { $0 = try? result.get() }
    }
    clock.advance(by: .milliseconds(20))
    #expect(bucket.available == 0)
    charge.withLock { $0 }?.settle(6)
    #expect(bucket.available == 1)
  }

  @Test("the cost of grants is counted as settled")
  func statistics() async throws {
    let bucket = bucket()
    let spent = try await bucket.acquire(4)
    #expect(bucket.statistics == LimitStatistics(granted: 1, tokens: 4))
    spent.settle(6)
    #expect(bucket.statistics.tokens == 6)
    try await bucket.acquire(2).cancel()
    #expect(bucket.statistics.tokens == 6)
  }

  @Test("a charge of a limit that is gone, or closed, is settled in vain")
  func goneLimit() async throws {
    var gone: TokenBucket? = bucket()
    let spent = try await gone!.acquire(4)
    gone = nil
    spent.settle(8)
    spent.cancel()
    let closed = bucket()
    let other = try await closed.acquire(4)
    closed.close()
    other.settle(1)
    #expect(!closed.tryAcquire())
  }

  // MARK: Windows

  @Test("a window gets a charge back as long as it counts there")
  func sliding() async throws {
    let limiter = RateLimiter(.slidingWindow(5, per: .milliseconds(100)), clock: clock)
    let first = try await limiter.acquire(3)
    clock.advance(by: .milliseconds(60))
    let second = try await limiter.acquire(2)
    first.settle(1)
    #expect(limiter.available == 2)
    clock.advance(by: .milliseconds(40))
    #expect(limiter.available == 3)
    first.settle(0)
    #expect(limiter.available == 3)
    second.cancel()
    #expect(limiter.available == 5)
  }

  @Test("what is given back is that charge's own, so that no window holds too much")
  func ownEvent() async throws {
    let limiter = RateLimiter(.slidingWindow(4, per: .milliseconds(100)), clock: clock)
    let first = try await limiter.acquire(2)
    clock.advance(by: .milliseconds(50))
    try await limiter.acquire(2)
    first.cancel()
    clock.advance(by: .milliseconds(50))
    #expect(limiter.available == 2)
    clock.advance(by: .milliseconds(50))
    #expect(limiter.available == 4)
  }

  @Test("a fixed window gets nothing back from the window before it", arguments: [false, true])
  func fixed(isGrid: Bool) async throws {
    let limiter = RateLimiter(
      .fixedWindow(5, per: .milliseconds(100), fromCreation: isGrid),
      clock: clock)
    let first = try await limiter.acquire(3)
    clock.advance(by: .milliseconds(100))
    let second = try await limiter.acquire(4)
    first.cancel()
    #expect(limiter.available == 1)
    second.settle(2)
    #expect(limiter.available == 3)
  }

  @Test("what is missing counts in a window from the settlement on")
  func windowDebt() async throws {
    let limiter = RateLimiter(.slidingWindow(5, per: .milliseconds(100)), clock: clock)
    let spent = try await limiter.acquire(3)
    clock.advance(by: .milliseconds(60))
    spent.settle(10)
    #expect(limiter.available == -5)
    clock.advance(by: .milliseconds(40))
    #expect(limiter.available == -2)
    clock.advance(by: .milliseconds(60))
    #expect(limiter.available == 5)
  }

  @Test("a charge recorded by a late wake counts from the wake, and is given back from there")
  func lateWake() {
    let limiter = RateLimiter(.slidingWindow(1, per: .milliseconds(100)), clock: clock)
    let charge = Locked<Charge?>(nil)
    #expect(limiter.tryAcquire())
    limiter.acquire { result in
      charge.withLock { $0 = try? result.get() }
    }
    clock.lapse(by: .milliseconds(105))
    clock.advance(by: .zero)
    clock.advance(by: .milliseconds(97))
    #expect(limiter.available == 0)
    charge.withLock { $0 }?.cancel()
    #expect(limiter.available == 1)
  }

  // MARK: By name

  @Test("a named part that is left out stays as charged")
  func named() async throws {
    let limiter = RateLimiter(
      .tokenBucket(rate: .none, burst: 10).named("a"),
      .tokenBucket(rate: .none, burst: 10).named("b"), .tokenBucket(rate: .none, burst: 10),
      clock: clock)
    func remaining() -> [Int] { limiter.requestEach(0).map(\.remaining) }
    let spent = try await limiter.acquire(["a": 4, "b": 5])
    spent.settle(["b": 1])
    #expect(remaining() == [6, 9, 10])
    // A part that was not charged is charged now.
    let other = try await limiter.acquire(["a": 2])
    other.settle(["a": 1, "b": 3])
    #expect(remaining() == [5, 6, 10])
    let each = try await limiter.acquire(2)
    each.settle(["a": 0])
    #expect(remaining() == [5, 4, 8])
    let integer = try await limiter.acquire(3)
    integer.settle(1)
    #expect(remaining() == [4, 3, 7])
    try await limiter.acquire(["a": 1, "b": 1]).cancel()
    try await limiter.acquire(3).cancel()
    #expect(remaining() == [4, 3, 7])
  }

  @Test("parts with the same name are each settled")
  func sameName() async throws {
    let limiter = RateLimiter(
      .tokenBucket(rate: .none, burst: 10).named("a"),
      .slidingWindow(20, per: .seconds(1)).named("a"), clock: clock)
    let spent = try await limiter.acquire(["a": 8])
    spent.settle(["a": 3])
    #expect(limiter.requestEach(0).map(\.remaining) == [7, 17])
    clock.advance(by: .seconds(1))
    // It has left the window, and the bucket gets it back.
    spent.cancel()
    #expect(limiter.requestEach(0).map(\.remaining) == [10, 20])
  }

  @Test("a charge by key says its key, and is settled there")
  func keyed() async throws {
    let limiter = KeyedRateLimiter<String>(
      rate: .every(.milliseconds(10)), burst: 5, maximumKeys: 10, clock: clock)
    let spent = try await limiter.acquire(4, for: "a")
    #expect(spent.key == "a" && spent.costs == 4 && spent.instant == clock.now)
    limiter.acquire(3, for: "a", completion: log.keyed("b"))
    #expect(spent.settle(2))
    #expect(log.lines == ["b 0"])
    #expect(limiter.available(for: "a") == 0 && limiter.available(for: "c") == 5)
    #expect(spent.settle(9))
    #expect(limiter.available(for: "a") == -5)
    spent.cancel()
    #expect(limiter.available(for: "a") == -1)
  }
}
