import Pacing
import PacingTesting
import TestSupport
import Testing

@testable import PacingRedis

@Suite("Lease")
struct LeaseTests {
  @Test("a key that is asked for once leases nothing, one that is asked for often leases more")
  func grows() async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let limiter = SharedRateLimiter(
      server.store(), leasing: Lease(atMost: 50, for: .milliseconds(50)), rate: .perSecond(10_000),
      burst: 1000)
    #expect(await limiter.tryAcquire(for: "once"))
    #expect(server.calls.last?.arguments.first == "1")
    var granted = 0
    for _ in 0..<1000 {
      if await limiter.tryAcquire(for: "often") { granted += 1 }
      clock.advance(by: .milliseconds(1))
    }
    #expect(granted == 1000 && limiter.statistics.fromLeases > 950)
    #expect(server.calls.count < 50)
    let counts = server.calls.map { Int($0.arguments[0])! }
    #expect(counts.max()! <= 51)
  }

  @Test("what is not spent in time is lost, and never more is spent than was granted")
  func isLost() async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let limiter = SharedRateLimiter(
      server.store(), leasing: Lease(atMost: 10, for: .milliseconds(50)),
      rate: Rate(1, per: .seconds(86_400)), burst: 100)
    var granted = 0
    for step in 0..<400 {
      if await limiter.tryAcquire(for: "a") { granted += 1 }
      if step % 7 == 0 { clock.advance(by: .milliseconds(60)) }
    }
    #expect(granted <= 100 && granted >= 40)
    #expect(await limiter.peek(for: "a").remaining == 0)
  }

  /// A limiter that has leased seven tokens for "a", until 50 ms after the call that took them.
  private static func limiter(
    atMost count: Int, _ server: ScriptedServer
  ) async -> SharedRateLimiter<String> {
    let limiter = SharedRateLimiter(
      server.store(), leasing: Lease(atMost: count, for: .milliseconds(50)), rate: .perSecond(1),
      burst: 1000)
    for step in 0..<8 {
      if step > 0 { server.clock.advance(by: .milliseconds(1)) }
      #expect(await limiter.tryAcquire(for: "a"))
    }
    #expect(server.calls.last?.arguments.first == "8")
    return limiter
  }

  @Test("no more is leased than a lease may hold, with what is left of the last")
  func isBounded() async {
    let server = ScriptedServer(ManualClock())
    let limiter = await Self.limiter(atMost: 10, server)
    server.clock.advance(by: .milliseconds(1))
    #expect(await limiter.tryAcquire(8, for: "a"))
    let calls = server.calls.count
    #expect(await limiter.take(upTo: 15, for: "a") == 15)
    #expect(server.calls.count == calls + 1 && server.calls.last?.arguments.first == "8")
  }

  @Test("what is left of a lease is lost at its own end, although there is a new one")
  func endsApart() async {
    let server = ScriptedServer(ManualClock())
    let limiter = await Self.limiter(atMost: 100, server)
    server.clock.advance(by: .milliseconds(5))
    #expect(await limiter.tryAcquire(8, for: "a"))
    #expect(server.calls.last?.arguments.first == "2", "eight more are leased")
    server.clock.advance(by: .milliseconds(44))
    // One of the seven, a nanosecond before they end.
    server.clock.advance(by: .milliseconds(1) - .nanoseconds(1))
    #expect(await limiter.take(upTo: 1, for: "a") == 1)
    server.clock.advance(by: .nanoseconds(1))
    let calls = server.calls.count
    #expect(await limiter.take(upTo: 15, for: "a") == 15)
    #expect(server.calls.count == calls + 1 && server.calls.last?.arguments.first == "7")
  }

  @Test("leases serve costs, takes and waits")
  func kinds() async throws {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let limiter = SharedRateLimiter(
      server.store(), leasing: Lease(atMost: 100, for: .seconds(10)), rate: .perSecond(1),
      burst: 1000)
    for _ in 0..<20 {
      #expect(await limiter.tryAcquire(2, for: "a"))
      clock.advance(by: .milliseconds(1))
    }
    // A call renews the lease.
    while await limiter.request(2, for: "a").source != .store {}
    let calls = server.calls.count
    try await limiter.acquire(for: "a")
    #expect(await limiter.take(upTo: 1, for: "a") == 1)
    #expect(server.calls.count == calls && limiter.statistics.fromLeases > 10)
    #expect(await limiter.take(upTo: 1000, for: "a") > 900)
    #expect(await limiter.reset("a"))
    #expect(await limiter.request(for: "a").source == .store)
  }

  /// A limiter of whole numbers, or of strings, that has leased many tokens for one key.
  private static func leasing<Key: Hashable & Sendable>(
    _ key: Key, _ server: ScriptedServer, names: Locked<Int>, quota: Locked<Quota>
  ) async -> SharedRateLimiter<Key> {
    let limiter = SharedRateLimiter<Key>(
      in: server.store(), onFailure: .deny, leasing: Lease(atMost: 100, for: .seconds(10))
    ) { key in
      names.withLock { $0 += 1 }
      return "\(key)"
    } quota: { _ in
      quota.withLock { $0 }
    }
    for _ in 0..<20 {
      #expect(await limiter.tryAcquire(for: key))
      server.clock.advance(by: .milliseconds(1))
    }
    while await limiter.request(for: key).source != .lease {}
    names.withLock { $0 = 0 }
    return limiter
  }

  @Test("a decision from a lease needs no name, if keys hold no strings")
  func nameless() async {
    let server = ScriptedServer(ManualClock())
    let names = Locked(0)
    let quota = Locked(Quota(rate: .perSecond(1), burst: 1000))
    let limiter = await Self.leasing(7, server, names: names, quota: quota)
    let before = limiter.statistics.fromLeases
    for _ in 0..<5 { #expect(await limiter.request(for: 7).source == .lease) }
    #expect(names.withLock { $0 } == 0 && limiter.statistics.fromLeases == before + 5)
    #expect(await !limiter.tryAcquire(1001, for: 7))
    #expect(await limiter.request(0, for: 7).source == .store)
    // Nor is the lease of a key that of another, of another quota, or of the time before a reset.
    #expect(await limiter.request(for: 8).source == .store)
    quota.withLock { $0 = Quota(rate: .perSecond(1), burst: 999) }
    #expect(await limiter.request(for: 7).source == .store)
    let again = await Self.leasing(9, server, names: names, quota: quota)
    #expect(await again.reset(9))
    #expect(await again.request(for: 9).source == .store)
  }

  @Test("a key that holds a string has its name asked for each time")
  func named() async {
    let server = ScriptedServer(ManualClock())
    let names = Locked(0)
    let quota = Locked(Quota(rate: .perSecond(1), burst: 1000))
    let limiter = await Self.leasing("\u{E9}", server, names: names, quota: quota)
    #expect(await limiter.request(for: "\u{E9}").source == .lease)
    #expect(names.withLock { $0 } == 1)
    #expect(await limiter.request(for: "e\u{301}").source == .store)
  }

  @Test("decisions by key and by name are the same", arguments: Soak.seeds(20))
  func alike(seed: UInt64) async {
    struct Named: Hashable {
      let number: Int
      /// Makes the type one that may hold a string.
      var text = ""
    }
    var random = SplitMix64(seed: seed)
    let clock = ManualClock()
    let lease = Lease(atMost: 40, for: .milliseconds(70))
    // Some share a slot of the memory, and some an entry of the table.
    let byKey = SharedRateLimiter<Int>(
      rate: .perSecond(500), burst: 60, in: ScriptedServer(clock).store(), onFailure: .deny,
      leasing: lease, memory: 4
    ) { "\($0)" }
    let byName = SharedRateLimiter<Named>(
      rate: .perSecond(500), burst: 60, in: ScriptedServer(clock).store(), onFailure: .deny,
      leasing: lease, memory: 4
    ) { "\($0.number)" }
    for step in 0..<600 {
      let key = Int.random(in: 0..<4, using: &random)
      let cost = Int.random(in: 0...4, using: &random)
      if Int.random(in: 0..<60, using: &random) == 0 {
        _ = await (byKey.reset(key), byName.reset(Named(number: key)))
      }
      let one = await byKey.request(cost, for: key)
      let other = await byName.request(cost, for: Named(number: key))
      #expect(one == other, "seed \(seed), step \(step)")
      clock.advance(by: .microseconds(Int64.random(in: 0...3000, using: &random)))
    }
    #expect(byKey.statistics == byName.statistics && byKey.statistics.fromLeases > 0)
  }
}
