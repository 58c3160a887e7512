import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("KeyedRateLimiter: several keys")
struct SeveralKeysTests {
  enum Scope: Hashable { case user(Int), tenant(Int), everyone }

  let clock = ManualClock()

  func limiter(maximumKeys: Int = 100_000, whenFull: WhenFull = .refuse) -> KeyedRateLimiter<Scope>
  {
    KeyedRateLimiter(maximumKeys: maximumKeys, whenFull: whenFull, clock: clock) { scope in
      switch scope {
      case .user: Quota(rate: .perSecond(5), burst: 3)
      case .tenant: Quota(rate: .perSecond(10), burst: 4)
      case .everyone: Quota(rate: .perSecond(100), burst: 6)
      }
    }
  }

  @Test("dotnet/runtime#113314: user, tenant and everyone in one decision that names who refused")
  func scopes() {
    let limiter = limiter()
    let first = limiter.request(3, for: [.user(1), .tenant(1), .everyone])
    #expect(first.decision.isAllowed && first.decision.remaining == 0)
    let user = limiter.request(for: [.user(1), .tenant(1), .everyone])
    #expect(
      user.key == .user(1) && !user.decision.isAllowed
        && user.decision.retryAfter == .milliseconds(200))
    let tenant = limiter.request(2, for: [.user(2), .tenant(1), .everyone])
    #expect(
      tenant.key == .tenant(1) && !tenant.decision.isAllowed
        && tenant.decision.retryAfter == .milliseconds(100))
    #expect(limiter.request(3, for: [.user(3), .tenant(2), .everyone]).decision.isAllowed)
    let everyone = limiter.request(for: [.user(4), .tenant(3), .everyone])
    #expect(everyone.key == .everyone && !everyone.decision.isAllowed)
    #expect(everyone.decision.retryAfter == .milliseconds(10))
    // No refusal has charged any key.
    #expect(
      limiter.peek(for: .tenant(1)).remaining == 0 && limiter.peek(for: .user(2)).remaining == 2)
    #expect(limiter.peek(3, for: .user(4)).isAllowed && limiter.peek(4, for: .tenant(3)).isAllowed)
    let never = limiter.request(5, for: [.everyone, .user(1), .tenant(1)])
    #expect(never.decision.retryAfter == nil && never.key != .everyone && !never.decision.isAllowed)
    #expect(!limiter.request(for: [.user(1), .user(1)]).decision.isAllowed)
  }

  @Test("a key that is named twice is charged once")
  func twice() {
    let limiter = limiter()
    #expect(limiter.request(2, for: [.user(1), .user(1)]).decision.isAllowed)
    #expect(limiter.peek(for: .user(1)).remaining == 0)
    #expect(limiter.request(for: [.user(1), .tenant(9), .user(1)]).decision.isAllowed)
    #expect(limiter.peek(for: .tenant(9)).remaining == 2)
  }

  @Test(
    "agrees with as many single decisions, taken only if all allow it", arguments: Soak.seeds(20))
  func oracle(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let several = limiter()
    let singles = limiter()
    for _ in 0..<300 {
      clock.advance(by: .milliseconds(Int.random(in: 0...60, using: &random)))
      let keys: [Scope] = [
        .user(Int.random(in: 0..<20, using: &random)),
        .tenant(Int.random(in: 0..<4, using: &random)), .everyone,
      ].shuffled(using: &random)
      let cost = Int.random(in: 0...3, using: &random)
      let looks = keys.map { singles.peek(cost, for: $0) }
      let isAllowed = looks.allSatisfy(\.isAllowed)
      let decision = several.request(cost, for: keys).decision
      #expect(decision.isAllowed == isAllowed, "seed \(seed)")
      let longest = looks.compactMap(\.retryAfter).max()
      #expect(decision.retryAfter == longest, "seed \(seed)")
      if isAllowed { for key in keys { _ = singles.tryAcquire(cost, for: key) } }
    }
  }

  @Test("all or none holds for room in the table too")
  func room() {
    let limiter = limiter(maximumKeys: 3)
    #expect(limiter.request(for: [.user(1), .everyone]).decision.isAllowed)
    let refused = limiter.request(for: [.user(2), .tenant(1), .everyone])
    #expect(!refused.decision.isAllowed && refused.key == .user(2))
    #expect(limiter.keyCount == 2 && limiter.peek(for: .everyone).remaining == 4)
    #expect(
      limiter.request(for: [.user(2), .everyone]).decision.isAllowed && limiter.keyCount == 3)
  }

  @Test(
    "a full table hides no key whose bucket can never hold the cost, in any order",
    arguments: [WhenFull.makeRoom, .refuse])
  func beyondOneBurst(whenFull: WhenFull) {
    let limiter = limiter(maximumKeys: 2, whenFull: whenFull)
    #expect(limiter.tryAcquire(for: .everyone) && limiter.tryAcquire(for: .tenant(9)))
    for keys in [[Scope.user(1), .tenant(1)], [.tenant(1), .user(1)]] {
      let refused = limiter.request(4, for: keys)
      #expect(refused.key == .user(1) && !refused.decision.isAllowed)
      #expect(refused.decision.retryAfter == nil && !refused.decision.isPossible)
    }
  }

  @Test("keys that make room for each other are counted as new: the table is never overfull")
  func roomAmongTheNames() {
    let clock = ManualClock()
    for maximum in 1...4 {
      let limiter = KeyedRateLimiter<Int>(
        rate: .perSecond(1), burst: 1, maximumKeys: maximum, clock: clock)
      for key in 0..<maximum { #expect(limiter.tryAcquire(for: key)) }
      // Their buckets are full again, so they are evicted to make room for another.
      clock.lapse(by: .seconds(2))
      #expect(!limiter.request(for: Array(0...maximum)).decision.isAllowed)
      #expect(limiter.keyCount <= maximum)
      #expect(limiter.tryAcquire(for: maximum + 1))
      #expect(limiter.keyCount <= maximum)
    }
  }
}
