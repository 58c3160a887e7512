import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("KeyedRateLimiter: what a first attempt got wrong")
struct KeyedPrototypeTests {
  let clock = ManualClock()
  let log: GrantLog

  init() { log = GrantLog(clock) }

  // MARK: User code

  /// A key that calls the limiter when its last reference goes.
  final class Caller: Hashable, Sendable {
    let number: Int
    let call: @Sendable () -> Void

    init(_ number: Int, _ call: @escaping @Sendable () -> Void) {
      self.number = number
      self.call = call
    }

    deinit { call() }

    static func == (left: Caller, right: Caller) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test("a key may call the limiter when it is released, whatever releases it")
  func keyDeinit() {
    let slot = Locked<KeyedRateLimiter<Caller>?>(nil)
    let gone = Counter()
    let limiter = KeyedRateLimiter<Caller>(
      rate: .every(.milliseconds(10)), burst: 1, maximumKeys: 4, clock: clock)
    slot.withLock { $0 = limiter }
    func key(_ number: Int) -> Caller {
      Caller(number) {
        gone.add()
        guard let limiter = slot.withLock({ $0 }) else { return }
        _ = limiter.keyCount
        _ = limiter.tryAcquire(for: Caller(1) {})
        limiter.reset(Caller(2) {})
      }
    }
    // Keys that wait, leave, are served, paused, reset and forgotten.
    for number in 0..<4 { _ = limiter.tryAcquire(for: key(number)) }
    let handles = (0..<3).map { limiter.acquire(for: key($0), completion: log.keyed("\($0)")) }
    handles[1].cancel()
    limiter.pause(key(3), for: .milliseconds(5))
    clock.advance(by: .milliseconds(50))
    for number in 10..<30 { _ = limiter.tryAcquire(for: key(number)) }
    for number in 10..<30 { limiter.reset(key(number)) }
    _ = limiter.request(for: [key(40), key(41)])
    limiter.acquire(for: key(42), completion: log.keyed("x"))
    limiter.close()
    #expect(gone.value > 20)
    #expect(log.lines.count == 3)
    slot.withLock { $0 = nil }
  }

  @Test("the closure of the quotas may call the limiter, and is called outside every lock")
  func quotaCallsLimiter() async throws {
    let slot = Locked<KeyedRateLimiter<Int>?>(nil)
    let calls = Counter()
    let limiter = KeyedRateLimiter<Int>(maximumKeys: 10, clock: clock) { key in
      calls.add()
      if key < 100, let limiter = slot.withLock({ $0 }) {
        _ = limiter.available(for: key + 100)
        _ = limiter.keyCount
      }
      return Quota(rate: .every(.milliseconds(10)), burst: 2)
    }
    slot.withLock { $0 = limiter }
    _ = limiter.tryAcquire(2, for: 1)
    let spent = try await limiter.acquire(1, for: 2)
    limiter.acquire(1, for: 1, completion: log.keyed("a"))
    limiter.pause(1, for: .milliseconds(1))
    limiter.penalize(1, for: 1)
    limiter.reset(3)
    _ = limiter.request(for: [1, 2])
    spent.cancel()
    clock.advance(by: .milliseconds(30))
    #expect(log.lines.count == 1)
    #expect(calls.value > 5)
    slot.withLock { $0 = nil }
  }

  // MARK: A full table

  /// A key that counts how often it is hashed or compared.
  struct Counted: Hashable, Sendable {
    static let work = Counter()
    let number: Int

    static func == (left: Counted, right: Counted) -> Bool {
      work.add()
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
      Self.work.add()
      hasher.combine(number)
    }
  }

  @Test("a table full of keys that wait refuses a new key without looking at them")
  func fullOfWaiters() {
    let count = 2000
    let limiter = KeyedRateLimiter<Counted>(
      rate: .every(.seconds(1)), burst: 1, maximumKeys: count, clock: clock)
    for number in 0..<count {
      let key = Counted(number: number)
      _ = limiter.tryAcquire(for: key)
      limiter.acquire(for: key) { _ in }
    }
    #expect(limiter.keyCount == count && limiter.waitingCount == count)
    let before = Counted.work.value
    for number in 0..<10 {
      let decision = limiter.request(for: Counted(number: count + number))
      #expect(!decision.isAllowed && decision.retryAfter == nil)
      #expect(decision.refusedBy == Limit.Name.table)
    }
    #expect(Counted.work.value - before < 10 * 50)
    #expect(limiter.forgottenCount == 0)
    // One place is enough for the next.
    clock.advance(by: .seconds(2))
    #expect(limiter.tryAcquire(for: Counted(number: count)))
  }

  @Test("only a grant that makes an entry forgets one")
  func onlyGrantsForget() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .every(.seconds(1)), burst: 2, maximumKeys: 2, clock: clock)
    #expect(limiter.tryAcquire(for: 1) && limiter.tryAcquire(2, for: 2))
    _ = limiter.peek(for: 3)
    _ = limiter.request(3, for: 4)
    _ = limiter.available(for: 5)
    #expect(limiter.tryAcquire(0, for: 6) && limiter.take(upTo: 0, for: 7) == 0)
    #expect(!limiter.penalize(1, for: 8) && !limiter.pause(9, for: .seconds(1)))
    limiter.reset(10)
    limiter.resume(11)
    #expect(limiter.keyCount == 2 && limiter.forgottenCount == 0)
    #expect(limiter.available(for: 1) == 1 && limiter.available(for: 2) == 0)
    // The one that is full first gives way.
    #expect(limiter.tryAcquire(for: 12))
    #expect(limiter.keyCount == 2 && limiter.forgottenCount == 1)
    #expect(limiter.available(for: 1) == 2 && limiter.available(for: 2) == 0)
  }

  @Test("keys that wait or are paused are not forgotten, and those that are left give way")
  func keptApart() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .every(.seconds(1)), burst: 1, maximumKeys: 3, clock: clock)
    #expect(limiter.tryAcquire(for: 1) && limiter.tryAcquire(for: 2))
    limiter.acquire(for: 1, completion: log.keyed("a"))
    #expect(limiter.pause(3, for: .seconds(1)))
    for key in 10..<20 { #expect(limiter.tryAcquire(for: key)) }
    #expect(limiter.keyCount == 3 && limiter.forgottenCount == 10)
    limiter.acquire(for: 19, completion: log.keyed("b"))
    #expect(!limiter.tryAcquire(for: 20) && limiter.request(for: 20).retryAfter == nil)
    #expect(!limiter.request(for: [20, 21]).decision.isAllowed)
    clock.advance(by: .seconds(1))
    #expect(log.lines == ["a 1000", "b 1000"])
    #expect(limiter.tryAcquire(for: 20))
  }

  @Test("a table that refuses names itself, and a time after which there is room")
  func refusingTable() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .every(.milliseconds(10)), burst: 5, maximumKeys: 2, whenFull: .refuse, clock: clock)
    #expect(limiter.tryAcquire(2, for: 1) && limiter.tryAcquire(5, for: 2))
    let decision = limiter.request(for: 3)
    #expect(!decision.isAllowed && decision.refusedBy == Limit.Name.table)
    #expect(decision.retryAfter == .milliseconds(20))
    clock.advance(by: .milliseconds(20))
    #expect(limiter.tryAcquire(for: 3))
  }

  // MARK: Quotas

  @Test("a changed quota holds from the next call on, for waiters too")
  func changedQuota() {
    let quota = Locked(Quota(rate: .every(.milliseconds(10)), burst: 4))
    let limiter = KeyedRateLimiter<Int>(maximumKeys: 10, clock: clock) { _ in
      quota.withLock { $0 }
    }
    #expect(limiter.tryAcquire(4, for: 1))
    limiter.acquire(2, for: 1, completion: log.keyed("a"))
    limiter.acquire(4, for: 1, completion: log.keyed("b"))
    // The bucket is full at 40 ms, before and after: 20 tokens are missing.
    quota.withLock { $0 = Quota(rate: .every(.milliseconds(2)), burst: 20) }
    #expect(limiter.available(for: 1) == -6)
    clock.advance(by: .milliseconds(12))
    #expect(log.lines == ["a 4", "b 12"])
    limiter.acquire(3, for: 1, completion: log.keyed("c"))
    quota.withLock { $0 = Quota(rate: .every(.milliseconds(2)), burst: 2) }
    _ = limiter.peek(for: 1)
    #expect(log.lines.last == "c exceeds burst")
  }

  // MARK: Streams

  @Test("a stream by key ends when the table refuses it, or the limiter is closed")
  func streamsEnd() async {
    let limiter = KeyedRateLimiter<Int>(
      rate: .every(.milliseconds(10)), burst: 1, maximumKeys: 1, whenFull: .refuse, clock: clock)
    #expect(limiter.tryAcquire(for: 1))
    limiter.acquire(for: 1, completion: log.keyed("a"))
    for await _ in limiter.ticks(for: 2) { Issue.record("a grant without room") }
    let ticks = clock.run { [limiter] in
      var count = 0
      for await _ in limiter.ticks(for: 1) { count += 1 }
      return count
    }
    clock.advance(by: .milliseconds(45))
    limiter.close()
    clock.runReady()
    #expect(await ticks.value == 3)
    #expect(clock.pendingCount == 0)
  }

  @Test("a waiting stream is woken by resume and reset, with no timer of its own but the key's")
  func streamsWake() async {
    let limiter = KeyedRateLimiter<Int>(
      rate: .every(.seconds(10)), burst: 1, maximumKeys: 4, clock: clock)
    #expect(limiter.pause(1, for: .seconds(100)))
    let log = log
    let task = clock.run { [limiter] in
      for await grant in limiter.ticks(for: 1).prefix(2) {
        log.note("\(Int(log.milliseconds(grant)))")
      }
    }
    clock.advance(by: .seconds(1))
    #expect(log.lines.isEmpty)
    limiter.resume(1)
    clock.advance(by: .zero)
    #expect(log.lines == ["1000"])
    clock.advance(by: .seconds(1))
    limiter.reset(1)
    clock.advance(by: .zero)
    await task.value
    #expect(log.lines == ["1000", "2000"])
  }

  // MARK: Folding

  @Test("a key whose waiters are gone is an entry again, and no entry once its bucket is full")
  func folds() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .every(.milliseconds(10)), burst: 1, maximumKeys: 1, clock: clock)
    for round in 0..<3 {
      #expect(limiter.tryAcquire(for: round))
      limiter.acquire(for: round, completion: log.keyed("\(round)"))
      #expect(!limiter.tryAcquire(for: 100))
      clock.advance(by: .milliseconds(10))
      #expect(limiter.available(for: round) == 0)
      limiter.acquire(for: round, completion: log.keyed("again \(round)")).cancel()
      #expect(limiter.available(for: round) == 0 && limiter.keyCount == 1)
      clock.advance(by: .milliseconds(10))
    }
    #expect(log.lines == ["0 10", "1 30", "2 50"])
    let statistics = limiter.statistics
    #expect(statistics.granted == 6 && statistics.refused == 3 && statistics.withdrawn == 3)
    #expect(limiter.waitingCount == 0 && clock.pendingCount == 0)
  }
}
