import Pacing
import PacingTesting
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
}
