import Pacing
import PacingTesting
import Testing

@testable import PacingRedis

@Suite("SharedRateLimiter: crowds")
struct CrowdTests {
  /// Two processes, many tasks and a bucket that does not refill.
  private static func granted(
    leasing lease: Lease?, _ server: ScriptedServer,
    by spend: @escaping @Sendable (SharedRateLimiter<String>) async -> Int
  ) async -> Int {
    let limiters = (0..<2).map { _ in
      SharedRateLimiter(
        server.store(), leasing: lease, rate: Rate(1, per: .seconds(86_400)), burst: 1000)
    }
    return await withTaskGroup { group in
      for task in 0..<40 {
        group.addTask {
          var sum = 0
          for _ in 0..<50 { sum += await spend(limiters[task % 2]) }
          return sum
        }
      }
      return await group.reduce(0, +)
    }
  }

  @Test("of tasks of several processes, exactly as many are granted as there are tokens")
  func exactly() async {
    let server = ScriptedServer(ManualClock())
    let granted = await Self.granted(leasing: nil, server) { limiter in
      await limiter.tryAcquire(for: "a") ? 1 : 0
    }
    #expect(granted == 1000)
    #expect(server.calls.count <= 1010)
  }

  @Test("all verbs together, with leases, never grant more", arguments: 0..<5)
  func together(run: Int) async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let lease = Lease(atMost: 20, for: .seconds(1))
    let granted = await Self.granted(leasing: lease, server) { limiter in
      switch Int.random(in: 0..<4) {
      case 0: await limiter.take(upTo: 3, for: "a")
      case 1: await limiter.request(2, for: "a").isAllowed ? 2 : 0
      case 2: (try? await limiter.acquire(for: "a", within: .zero)) == nil ? 0 : 1
      default: await limiter.tryAcquire(for: "a") ? 1 : 0
      }
    }
    #expect(granted <= 1000 && granted >= 1000 - 2 * 21 - 2)
  }
}
