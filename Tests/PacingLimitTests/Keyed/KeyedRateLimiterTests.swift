import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("KeyedRateLimiter")
struct KeyedRateLimiterTests {
  let clock = ManualClock()

  @Test("each key has a bucket of its own, full at first")
  func keys() {
    let limiter = KeyedRateLimiter<String>(
      rate: .perSecond(10), burst: 2, maximumKeys: 100, clock: clock)
    #expect(limiter.tryAcquire(2, for: "ann") && !limiter.tryAcquire(for: "ann"))
    #expect(limiter.tryAcquire(for: "bob"))
    let denied = limiter.request(2, for: "ann")
    #expect(!denied.isAllowed && denied.retryAfter == .milliseconds(200) && denied.remaining == 0)
    #expect(limiter.peek(3, for: "cid").retryAfter == nil)
    clock.advance(by: .milliseconds(150))
    #expect(limiter.peek(for: "ann").remaining == 0 && limiter.tryAcquire(for: "ann"))
    #expect(limiter.request(for: "bob").remaining == 1)
    limiter.reset("ann")
    #expect(limiter.peek(for: "ann").remaining == 1)
    #expect(limiter.tryAcquire(0, for: "ann") && limiter.keyCount == 1)
  }

  @Test(
    "answers as a bucket for each key would, to the nanosecond, while keys come and go",
    arguments: [
      Rate(3, per: .nanoseconds(10)), Rate(1, per: .nanoseconds(7)), .perSecond(300_000_000),
    ], Soak.seeds(15))
  func oracle(rate: Rate, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let limiter = KeyedRateLimiter<Int>(rate: rate, burst: 4, maximumKeys: 1000, clock: clock)
    var buckets = [Int: InstantLimit]()
    for _ in 0..<400 {
      clock.advance(by: .nanoseconds(Int.random(in: 0...3, using: &random)))
      let key = Int.random(in: 0..<60, using: &random)
      let cost = Int.random(in: 0...5, using: &random)
      var bucket =
        buckets[key] ?? InstantLimit(rate: rate, burst: 4, at: PacingInstant(nanoseconds: 0))
      #expect(limiter.peek(cost, for: key) == bucket.peek(cost, at: clock.now), "seed \(seed)")
      switch Int.random(in: 0..<6, using: &random) {
      case 0...1:
        let expected = bucket.request(cost, at: clock.now)
        #expect(limiter.request(cost, for: key) == expected, "seed \(seed)")
      case 2...3:
        let expected = bucket.tryAcquire(cost, at: clock.now)
        #expect(limiter.tryAcquire(cost, for: key) == expected, "seed \(seed)")
      case 4:
        let expected = bucket.take(upTo: cost, at: clock.now)
        #expect(limiter.take(upTo: cost, for: key) == expected, "seed \(seed)")
      default:
        bucket.penalize(cost, at: clock.now)
        limiter.penalize(cost, for: key)
      }
      buckets[key] = bucket
    }
  }

  @Test("governor#203: at 300 million a second not one in eleven is lost, nor one won")
  func exactRates() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(300_000_000), burst: 1, maximumKeys: 1, clock: clock)
    var granted = 0
    for _ in 0..<10_000 {
      clock.advance(by: .nanoseconds(1))
      if limiter.tryAcquire(for: 1) { granted += 1 }
    }
    // One token per 3⅓ ns, observed at whole nanoseconds by a bucket that holds one: every fourth.
    #expect(granted == 2500)
  }

  @Test("governor#107, #249: not one cell more than the burst")
  func noExtraCell() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 10, maximumKeys: 1, clock: clock)
    #expect((0..<20).count { _ in limiter.tryAcquire(for: 1) } == 10)
    clock.advance(by: .milliseconds(9_999))
    #expect((0..<20).count { _ in limiter.tryAcquire(for: 1) } == 9)
  }

  @Test("governor#171, actix-governor#60, NF#152: memory follows the keys that spend")
  func memory() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1000), burst: 1, maximumKeys: 1_000_000, clock: clock)
    for key in 0..<20_000 {
      clock.advance(by: .microseconds(1))
      #expect(limiter.tryAcquire(for: key))
    }
    // A thousand of them are not yet full again.
    #expect((1_000...5_000).contains(limiter.keyCount))
    #expect(clock.pendingCount == 0)
  }

  @Test("keys that are reset leave the memory, in any order, and change nothing for the others")
  func forgotten() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 2, maximumKeys: 20_000, clock: clock)
    for key in 0..<2000 { #expect(limiter.tryAcquire(2, for: key)) }
    var random = SplitMix64(seed: 1)
    let order = (0..<2000).shuffled(using: &random)
    for (index, key) in order.enumerated() {
      limiter.reset(key)
      #expect(limiter.keyCount == 1999 - index)
      guard index.isMultiple(of: 100) else { continue }
      #expect(order.count { limiter.peek(2, for: $0).isAllowed } == index + 1)
    }
    #expect(limiter.tryAcquire(2, for: 7) && !limiter.tryAcquire(for: 7) && limiter.keyCount == 1)
  }

  @Test("attackers cannot make it grow, nor change anything for the keys it holds")
  func attack() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 2, maximumKeys: 50, whenFull: .refuse, clock: clock)
    for key in 0..<50 { #expect(limiter.tryAcquire(for: key)) }
    for key in 50..<5_000 { #expect(!limiter.tryAcquire(for: key)) }
    #expect(limiter.keyCount == 50)
    for key in 0..<50 { #expect(limiter.request(for: key).isAllowed) }
    #expect(!limiter.tryAcquire(for: 7))
  }

  struct Stranger: Hashable, Sendable {
    static let hashes = Counter()
    let number: Int

    func hash(into hasher: inout Hasher) {
      Self.hashes.add()
      hasher.combine(number)
    }
  }

  @Test("an attacker's keys do not cost a search through the table each")
  func costOfAttack() {
    let limiter = KeyedRateLimiter<Stranger>(
      rate: .perSecond(1), burst: 1, maximumKeys: 1000, whenFull: .refuse, clock: clock)
    for number in 0..<1000 {
      clock.advance(by: .microseconds(1))
      #expect(limiter.tryAcquire(for: Stranger(number: number)))
    }
    let before = Stranger.hashes.value
    var admitted = 0
    for number in 1000..<4000 {
      clock.advance(by: .microseconds(300))
      if limiter.tryAcquire(for: Stranger(number: number)) { admitted += 1 }
    }
    // Each is hashed once, and in the second a table of a thousand is rehashed at most 32 times.
    #expect(Stranger.hashes.value - before <= 3000 + 33 * 1000)
    #expect(admitted <= 1000 && limiter.keyCount <= 1000)
  }

  @Test("a new key that is refused is told when there is room, and not before")
  func room() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(10), burst: 2, maximumKeys: 3, whenFull: .refuse, clock: clock)
    for (key, cost) in [(1, 2), (2, 1), (3, 2)] { #expect(limiter.tryAcquire(cost, for: key)) }
    let refused = limiter.request(for: 4)
    #expect(!refused.isAllowed && refused.remaining == 0)
    #expect(limiter.request(0, for: 4).isAllowed && limiter.request(3, for: 4).retryAfter == nil)
    clock.advance(by: refused.retryAfter! - .nanoseconds(1))
    #expect(!limiter.tryAcquire(for: 4))
    clock.advance(by: .nanoseconds(1))
    #expect(limiter.tryAcquire(for: 4))
    limiter.reset(1)
    #expect(limiter.tryAcquire(for: 5) && limiter.keyCount == 3)
  }

  final class Guest: Hashable, Sendable {
    let number: Int
    let onRelease: @Sendable () -> Void

    init(_ number: Int, onRelease: @escaping @Sendable () -> Void) {
      self.number = number
      self.onRelease = onRelease
    }

    deinit { onRelease() }

    static func == (lhs: Guest, rhs: Guest) -> Bool { lhs.number == rhs.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test("what is the user's is not released on the timer's thread: a limiter with its closure")
  func releasedLimiter() {
    let clock = ManualClock()
    let released = Counter()
    do {
      let burden = Burden("quota") { released.add() }
      let limiter = KeyedRateLimiter<Int>(maximumKeys: 4, clock: clock) { _ in
        withExtendedLifetime(burden) { Quota(rate: .perSecond(1), burst: 1) }
      }
      #expect(limiter.tryAcquire(for: 1))
      limiter.acquire(for: 1) { _ in }
    }
    clock.lapse(by: .seconds(1))
    #expect(clock.service.fireNext(dueAt: clock.now) && released.value == 0)
    clock.runReady()
    #expect(released.value == 1)
  }

  @Test("what is the user's is not released on the timer's thread: a key whose pause ends")
  func releasedKey() {
    let clock = ManualClock()
    let released = Counter()
    let limiter = KeyedRateLimiter<Guest>(
      rate: .perSecond(1), burst: 1, maximumKeys: 4, clock: clock)
    limiter.pause(Guest(1) { released.add() }, for: .seconds(1))
    clock.lapse(by: .seconds(1))
    #expect(clock.service.fireNext(dueAt: clock.now) && released.value == 0)
    clock.runReady()
    #expect(released.value == 1)
  }

  @Test("a key may come back for the limiter when it is released")
  func release() {
    let limiter = KeyedRateLimiter<Guest>(
      rate: .perSecond(1), burst: 1, maximumKeys: 20, clock: clock)
    let released = Counter()
    for number in 0..<100 {
      clock.advance(by: .seconds(1))
      let guest = Guest(number) {
        released.add()
        _ = limiter.peek(for: Guest(-1) {})
      }
      #expect(limiter.tryAcquire(for: guest))
    }
    #expect(released.value >= 80 && limiter.keyCount <= 20)
  }

  @Test("many threads spend what each key has, and no more")
  func threads() {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 100, maximumKeys: 100_000, clock: clock)
    let granted = (0..<50).map { _ in Counter() }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for _ in 0..<5_000 {
        let key = Int.random(in: 0..<50, using: &random)
        let other = Int.random(in: 50..<20_000, using: &random)
        if Bool.random(using: &random) {
          if limiter.tryAcquire(for: key) { granted[key].add() }
        } else if limiter.request(for: [other, key, other]).decision.isAllowed {
          granted[key].add()
        }
      }
    }
    #expect(granted.allSatisfy { $0.value == 100 })
  }

  @Test("settings that are not part of the program are told what is wrong with them")
  func validation() {
    #expect(throws: ConfigurationError("burst", 0, must: "be positive")) {
      try Quota(checking: .perSecond(1), burst: 0)
    }
    #expect(throws: ConfigurationError.self) {
      try Quota(checking: Rate(1 << 32, per: .nanoseconds(1)), burst: 1)
    }
  }

  #if os(Linux) || os(macOS)
    @Test("stops the program on a constant that cannot work, and on a negative cost")
    func programmerErrors() async {
      await #expect(processExitsWith: .failure) {
        _ = KeyedRateLimiter<Int>(rate: .perSecond(1), burst: 1, maximumKeys: 0)
      }
      await #expect(processExitsWith: .failure) { _ = Quota(rate: .perSecond(1), burst: 0) }
      await #expect(processExitsWith: .failure) {
        _ = KeyedRateLimiter<Int>(rate: .perSecond(1), burst: 1, maximumKeys: 1).request(-1, for: 1)
      }
      await #expect(processExitsWith: .failure) {
        _ = KeyedRateLimiter<Int>(rate: .perSecond(1), burst: 1, maximumKeys: 1).request(for: [])
      }
    }
  #endif
}
