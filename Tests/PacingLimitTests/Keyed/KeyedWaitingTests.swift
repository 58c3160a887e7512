import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("KeyedRateLimiter: waiting")
struct KeyedWaitingTests {
  let clock = ManualClock()

  @Test("waiters of a key are served in order, one key does not hold up another")
  func order() async {
    let limiter = KeyedRateLimiter<String>(
      rate: .perSecond(10), burst: 1, maximumKeys: 100, clock: clock)
    let told = Locked([String]())
    for name in ["a1", "a2", "b1", "a3", "b2"] {
      limiter.acquire(for: String(name.prefix(1))) { _ in told.withLock { $0.append(name) } }
    }
    clock.runReady()
    #expect(told.withLock { $0 } == ["a1", "b1"] && limiter.waitingCount == 3)
    #expect(limiter.available(for: "a") == -2 && !limiter.tryAcquire(for: "b"))
    clock.advance(by: .milliseconds(100))
    #expect(told.withLock { $0 }.suffix(2) == ["a2", "b2"])
    clock.advance(by: .milliseconds(100))
    #expect(told.withLock { $0 }.last == "a3" && limiter.waitingCount == 0)
    #expect(limiter.statistics.granted == 5 && limiter.statistics.refused == 1)
    clock.advance(by: .milliseconds(100))
    #expect(limiter.tryAcquire(for: "a") && clock.pendingCount == 0)
  }

  @Test("a hundred that wait for one key cost a hundred wakes")
  func wakes() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1000), burst: 1, maximumKeys: 10, clock: clock)
    let granted = Counter()
    for _ in 0...100 { limiter.acquire(for: 1) { _ in granted.add() } }
    var wakes = 0
    while let next = clock.nextDeadline {
      clock.advance(to: next)
      wakes += 1
    }
    #expect(granted.value == 101 && wakes == 100)
  }

  @Test("a withdrawal, a deadline, a bound for each key and the end")
  func refusals() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 1, maximumKeys: 10, queue: QueuePolicy(maximumWaiters: 2),
      clock: clock)
    let told = Locked([Int: String]())
    func ask(_ name: Int, _ key: Int, within timeout: Duration? = nil) -> Acquisition {
      limiter.acquire(for: key, within: timeout) { result in
        told.withLock {
          switch result {
          case .success: $0[name] = "granted"
          case .failure(let error): $0[name] = error.reason.description
          }
        }
      }
    }
    for key in 1...3 { #expect(limiter.tryAcquire(for: key)) }
    _ = ask(1, 1, within: .milliseconds(999))
    let second = ask(2, 1)
    _ = ask(3, 2)
    _ = ask(4, 2)
    _ = ask(6, 2)
    clock.runReady()
    #expect(told.withLock { $0 } == [1: "deadline", 6: "queue is full"])
    #expect(second.cancel() && !second.cancel() && limiter.waitingCount == 2)
    clock.advance(by: .seconds(1))
    #expect(told.withLock { $0[3] } == "granted" && limiter.tryAcquire(for: 1))
    _ = ask(5, 1)
    limiter.close()
    clock.runReady()
    #expect(told.withLock { $0[5] } == "closed" && !limiter.tryAcquire(for: 9))
    #expect(clock.pendingCount == 0 && limiter.waitingCount == 0)
  }

  @Test("once closed it grants nothing, to the waiters of a paused key neither, and has no timer")
  func closingPaused() async {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 1, maximumKeys: 10, clock: clock)
    let told = Locked([String]())
    func ask(_ key: Int) {
      limiter.acquire(for: key) { result in
        told.withLock {
          switch result {
          case .success: $0.append("granted")
          case .failure(let error): $0.append(error.reason.description)
          }
        }
      }
    }
    #expect(limiter.pause(1, for: .seconds(1)) && limiter.pause(2, for: .seconds(1)))
    ask(1)
    limiter.close()
    #expect(clock.pendingCount == 0 && limiter.waitingCount == 0)
    ask(1)
    ask(2)
    #expect(!limiter.pause(3, for: .seconds(1)) && !limiter.pause(1, for: .seconds(1)))
    ask(3)
    clock.advance(by: .seconds(2))
    #expect(told.withLock { $0 } == ["closed", "closed", "closed", "closed"])
    #expect(!limiter.tryAcquire(for: 1) && !limiter.request(for: [1, 2]).decision.isAllowed)
    await #expect(throws: AcquireError.closed) { try await limiter.acquire(0, for: 1) }
    #expect(clock.pendingCount == 0)
  }

  @Test("a limiter that is dropped leaves no timer behind for a pause")
  func droppedPaused() {
    var limiter: KeyedRateLimiter<Int>? = KeyedRateLimiter(
      rate: .perSecond(1), burst: 1, maximumKeys: 10, clock: clock)
    limiter?.pause(1, for: .seconds(60))
    #expect(clock.pendingCount == 1)
    limiter = nil
    #expect(clock.pendingCount == 0)
  }

  @Test("a place in a queue that has ended names no waiter of a later one")
  func stalePlaces() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 1, maximumKeys: 10, clock: clock)
    #expect(limiter.tryAcquire(for: 1))
    let first = limiter.acquire(for: 1) { _ in }
    clock.advance(by: .seconds(1))
    let granted = Counter()
    let second = limiter.acquire(for: 1) { _ in granted.add() }
    #expect(!first.cancel())
    clock.advance(by: .seconds(1))
    #expect(granted.value == 1 && !second.cancel())
  }

  @Test("a key with waiters or a pause is never forgotten")
  func neverForgotten() {
    let limiter = KeyedRateLimiter<Int>(rate: .perSecond(1), burst: 5, maximumKeys: 2, clock: clock)
    let granted = Counter()
    limiter.pause(1, for: .seconds(100))
    #expect(!limiter.tryAcquire(for: 1))
    #expect(limiter.tryAcquire(5, for: 2))
    limiter.acquire(for: 2) { _ in granted.add() }
    #expect(!limiter.tryAcquire(for: 3), "both places are taken")
    clock.advance(by: .seconds(1))
    #expect(granted.value == 1 && limiter.tryAcquire(for: 3))
    limiter.resume(1)
    #expect(limiter.tryAcquire(for: 1))
    clock.advance(by: .seconds(100))
    #expect(clock.pendingCount == 0)
  }

  @Test("a pause ends by itself, and its key is an entry again")
  func pause() {
    let limiter = KeyedRateLimiter<Int>(rate: .perSecond(1), burst: 2, maximumKeys: 2, clock: clock)
    #expect(limiter.tryAcquire(2, for: 1))
    #expect(limiter.pause(1, for: .seconds(10)))
    #expect(limiter.request(for: 1).retryAfter == .seconds(10))
    clock.advance(by: .seconds(10))
    #expect(limiter.tryAcquire(2, for: 1) && clock.pendingCount == 0)
  }

  @Test(
    "a pause tells if a full table has no room for it, or if it is none",
    arguments: [WhenFull.makeRoom, .refuse])
  func pauseWithoutRoom(whenFull: WhenFull) {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 2, maximumKeys: 1, whenFull: whenFull, clock: clock)
    #expect(!limiter.pause(1, for: .zero) && !limiter.pause(1, for: .seconds(-1)))
    #expect(limiter.tryAcquire(for: 1))
    #expect(!limiter.pause(2, for: .seconds(10)), "the table is full, and does not contain it")
    #expect(limiter.pause(1, for: .seconds(10)) && limiter.pause(1, for: .seconds(5)))
    #expect(limiter.request(for: 1).retryAfter == .seconds(10), "the longer pause stays")
  }

  @Test("tasks wait, are cancelled and end with the limiter; a stream gives what comes")
  func tasks() async throws {
    var limiter: KeyedRateLimiter<Int>? = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 1, maximumKeys: 2, clock: clock)
    try await limiter?.acquire(for: 1)
    let stream = limiter!.ticks(for: 1)
    let fake = limiter!.limit(for: 2)
    try await fake.acquire(1, within: .zero)
    await #expect(throws: AcquireError.self) { try await fake.acquire(1, within: .zero) }
    let cancelled = Task { [limiter] in try await limiter!.acquire(for: 2) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    limiter = nil
    _ = fake
    _ = stream
  }

  @Test("a quota that changes takes effect, and the bucket is full when it would have been")
  func changedQuota() {
    let rate = Locked(Rate.perSecond(1))
    let limiter = KeyedRateLimiter<Int>(maximumKeys: 10, clock: clock) { _ in
      Quota(rate: rate.withLock { $0 }, burst: 4)
    }
    #expect(limiter.tryAcquire(4, for: 1))
    limiter.acquire(2, for: 1) { _ in }
    rate.withLock { $0 = .perSecond(2) }
    // It is full after four seconds, as it would have been.
    #expect(limiter.request(1, for: 1).retryAfter == .milliseconds(3500))
    clock.advance(by: .seconds(3))
    #expect(limiter.waitingCount == 0 && limiter.available(for: 1) == 0)
  }

  @Test("of many keys that wait or are paused those left are served")
  func memory() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 1, maximumKeys: 8_000, clock: clock)
    let told = Locked([Int]())
    for key in 0..<4_000 { #expect(limiter.tryAcquire(for: key)) }
    let waiters = (0..<2_000).map { key in
      limiter.acquire(for: key) { _ in told.withLock { $0.append(key) } }
    }
    for key in 2_000..<4_000 { #expect(limiter.pause(key, for: .seconds(9))) }
    for key in 0..<2_000 where !key.isMultiple(of: 200) {
      #expect(waiters[key].cancel())
      limiter.resume(2_000 + key)
    }
    #expect(limiter.waitingCount == 10 && !limiter.tryAcquire(for: 2_200))
    #expect(waiters[0].cancel() && !waiters[1].cancel())
    clock.advance(by: .seconds(1))
    #expect(told.withLock { $0.sorted() } == (1..<10).map { 200 * $0 })
    #expect(limiter.tryAcquire(for: 2_001) && !limiter.tryAcquire(for: 2_200))
    clock.advance(by: .seconds(8))
    #expect(limiter.tryAcquire(for: 2_200) && clock.pendingCount == 0)
  }
}
