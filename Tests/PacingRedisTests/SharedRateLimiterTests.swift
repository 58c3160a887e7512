import Pacing
import PacingTesting
import TestSupport
import Testing

@testable import PacingRedis

@Suite("SharedRateLimiter")
struct SharedRateLimiterTests {
  static let rates: [(Rate, Int)] = [
    (.perSecond(10), 5), (.perSecond(1000), 100), (.every(.seconds(86_400)), 1000),
    (Rate(999_983, per: .seconds(1_000_003)), 7), (.perSecond(1_000_000), 3),
  ]

  @Test("decides as a bucket of one process does, to the microsecond", arguments: Soak.seeds(40))
  func oracle(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let (rate, burst) = Self.rates.randomElement(using: &random)!
    let clock = ManualClock()
    let bucket = TokenBucket(rate: rate, burst: burst, clock: clock)
    let shared = SharedRateLimiter(.inMemory(clock: clock), rate: rate, burst: burst)
    for step in 0..<200 {
      let cost = Int.random(in: 0...min(burst + 1, 8), using: &random)
      let isLook = Bool.random(using: &random)
      let expected = isLook ? bucket.peek(cost) : bucket.request(cost)
      let decision =
        isLook ? await shared.peek(cost, for: "a") : await shared.request(cost, for: "a")
      let note = "seed \(seed), step \(step)"
      #expect(decision.isAllowed == expected.isAllowed, "\(note)")
      if cost <= burst, decision.source == .store {
        #expect(decision.remaining == expected.remaining, "\(note)")
      }
      let wait = expected.retryAfter.map { $0.inMicroseconds }
      #expect(decision.retryAfter == wait, "\(note)")
      if cost <= burst {
        #expect(decision.resetAfter == expected.resetAfter.inMicroseconds, "\(note)")
      }
      let pause: Int64 =
        switch Int.random(in: 0..<3, using: &random) {
        case 0: 0
        case 1: Int64.random(in: 0...200_000, using: &random)
        default: wait.map { Int64($0 / .microseconds(1)) } ?? 0
        }
      clock.advance(by: .microseconds(pause))
    }
  }

  @Test("grants at retryAfter and not a microsecond before")
  func exactly() async {
    let clock = ManualClock()
    let limiter = SharedRateLimiter(.inMemory(clock: clock))
    #expect(await limiter.take(upTo: 9, for: "a") == 5)
    let refusal = await limiter.request(2, for: "a")
    #expect(!refusal.isAllowed && refusal.retryAfter == .milliseconds(200))
    clock.advance(by: .milliseconds(200) - .microseconds(1))
    #expect(await !limiter.tryAcquire(2, for: "a"))
    clock.advance(by: .microseconds(1))
    #expect(await limiter.tryAcquire(2, for: "a"))
    #expect(await limiter.tryAcquire(5, for: "b"), "another key")
  }

  @Test("a refusal is answered from memory until it ends, with one call")
  func remembers() async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let limiter = SharedRateLimiter(server.store())
    #expect(await limiter.tryAcquire(5, for: "a"))
    for _ in 0..<9 {
      let refusal = await limiter.request(for: "a")
      #expect(refusal.source == .memory && !refusal.isAllowed)
      #expect(refusal.retryAfter == clock.now.duration(to: .milliseconds(100)))
      clock.advance(by: .milliseconds(10))
    }
    #expect(server.calls.count == 1)
    clock.advance(by: .milliseconds(10))
    #expect(await limiter.request(for: "a").source == .store)
    #expect(server.calls.count == 2 && limiter.statistics.fromMemory == 9)
    // Another process took the refill; only a call reveals that.
    let other = SharedRateLimiter(server.store())
    #expect(await !other.tryAcquire(for: "a"))
    #expect(server.calls.count == 3)
  }

  @Test("requests that come during a call share the next one, first come first served")
  func gathers() async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let limiter = SharedRateLimiter(server.store())
    server.behaviour = .holds
    async let first = limiter.request(for: "a")
    await clock.sleepers(atLeast: 1)
    var others = [(cost: Int, task: Task<Decision, Never>)]()
    for cost in [1, 2, 1, 1, 2, 1] {
      others.append((cost, Task { await limiter.request(cost, for: "a") }))
      // One after the other, so that their order is known.
      await clock.sleepers(atLeast: others.count + 1)
    }
    #expect(server.calls.count == 1)
    server.behaviour = .answers
    server.release()
    #expect(await first.isAllowed)
    var decisions = [Decision]()
    for (_, task) in others { decisions.append(await task.value) }
    // Four requests of cost one share a call; two of cost two are refused from its answer.
    #expect(server.calls.count == 2)
    #expect(server.calls[1].arguments.first == "4")
    let ones = zip(others, decisions).filter { $0.0.cost == 1 }.map(\.1)
    #expect(ones.allSatisfy { $0.isAllowed })
    #expect(Set(ones.map(\.remaining)) == [3, 2, 1, 0])
    let twos = zip(others, decisions).filter { $0.0.cost == 2 }.map(\.1)
    #expect(twos.allSatisfy { !$0.isAllowed && $0.retryAfter == .milliseconds(200) })
  }

  @Test("several keys are charged together or not at all, and names once")
  func several() async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let limiter = SharedRateLimiter<Int>(
      in: server.store(), onFailure: .deny, name: { "{t}\($0)" }
    ) { key in Quota(rate: .perSecond(10), burst: key) }
    let all = await limiter.request(2, for: [3, 5, 3])
    #expect(all.decision.isAllowed && all.key == 3 && all.decision.remaining == 1)
    #expect(server.calls[0].keys == ["{t}3", "{t}5"])
    let refusal = await limiter.request(2, for: [5, 3])
    #expect(
      refusal.key == 3 && !refusal.decision.isAllowed
        && refusal.decision.retryAfter == .milliseconds(100))
    #expect(await limiter.peek(for: 5).remaining == 2, "not charged")
    #expect(server.calls.count == 2, "the refusal is remembered")
    let never = await limiter.request(4, for: [5, 3])
    #expect(never.key == 3 && !never.decision.isAllowed && never.decision.retryAfter == nil)
    #expect(await limiter.request(0, for: [3]).decision.isAllowed)
  }

  @Test("a penalty is paid for, and forgotten with the key")
  func penalties() async {
    let clock = ManualClock()
    let limiter = SharedRateLimiter(.inMemory(clock: clock))
    #expect(await limiter.penalize(25, for: "a"))
    #expect(await limiter.peek(for: "a").retryAfter == .milliseconds(2100))
    #expect(await limiter.penalize(.max, for: "a"))
    #expect(await limiter.peek(for: "a").retryAfter != nil)
    #expect(await limiter.reset("a"))
    #expect(await limiter.request(5, for: "a").isAllowed)
  }

  @Test("a refusal on its way when its key is reset is not remembered", arguments: [0, 1])
  func resetDuringCall(milliseconds: Int) async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    #expect(await SharedRateLimiter(server.store()).tryAcquire(5, for: "a"))
    let limiter = SharedRateLimiter(server.store())
    server.behaviour = .holds
    async let refused = limiter.request(for: "a")
    await clock.sleepers(atLeast: 1)
    server.behaviour = .answers
    clock.advance(by: .milliseconds(milliseconds))
    #expect(await limiter.reset("a"))
    server.release()
    #expect(await !refused.isAllowed)
    #expect(await limiter.request(5, for: "a").isAllowed)
  }

  @Test("a new rate reads the bucket as the same number of tokens")
  func rolling() async {
    let clock = ManualClock()
    let store = RedisStore.inMemory(clock: clock)
    let fast = SharedRateLimiter(store, rate: .perSecond(1000), burst: 100)
    let slow = SharedRateLimiter(store, rate: .perSecond(1), burst: 100)
    #expect(await fast.take(upTo: 100, for: "a") == 100)
    #expect(await slow.peek(for: "a").remaining == 0)
    #expect(await slow.peek(100, for: "a").retryAfter == .seconds(100))
    #expect(await fast.peek(100, for: "a").retryAfter == .milliseconds(100))
  }

  @Test("without a rate's limit nothing is asked")
  func unlimited() async throws {
    let server = ScriptedServer(ManualClock())
    let limiter = SharedRateLimiter(server.store(), rate: .unlimited, burst: 3)
    #expect(await limiter.request(100, for: "a").isAllowed)
    #expect(await limiter.take(upTo: 100, for: "a") == 100)
    #expect(await limiter.penalize(100, for: "a"))
    try await limiter.acquire(100, for: "a")
    #expect(await limiter.request(for: ["a", "b"]).decision.isAllowed && server.calls.isEmpty)
  }

  @Test("the model drops what is full")
  func sweeps() async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let limiter = SharedRateLimiter(server.store())
    for key in 0..<5000 {
      #expect(await limiter.tryAcquire(for: "\(key)"))
      clock.advance(by: .milliseconds(10))
    }
    #expect(server.model.count < 2100)
  }

  @Test("a service takes a limiter of one process or of several")
  func either() async {
    func spend(_ limit: some KeyedLimitingTool<String>) async -> [Int] {
      let first = await limit.request(2, for: "a").remaining
      let both = await limit.request(1, for: ["a", "b"]).decision.remaining
      let look = await limit.peek(1, for: "a").remaining
      return [first, both, look, await limit.take(upTo: 9, for: "a")]
    }
    let clock = ManualClock()
    let own = KeyedRateLimiter<String>(
      rate: .perSecond(10), burst: 5, maximumKeys: 10, clock: clock)
    #expect(await spend(own) == [3, 2, 1, 2])
    #expect(await spend(SharedRateLimiter(.inMemory(clock: clock))) == [3, 2, 1, 2])
  }
}

extension Duration {
  /// The duration rounded up to microseconds.
  fileprivate var inMicroseconds: Duration {
    .nanoseconds((Nanoseconds(roundingUp: self) + 999) / 1000 * 1000)
  }
}

extension PacingInstant {
  fileprivate func duration(to time: Duration) -> Duration {
    duration(to: PacingInstant(nanoseconds: 0).advanced(by: time))
  }
}
