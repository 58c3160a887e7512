import Pacing
import PacingTesting
import Testing

@testable import PacingRedis

@Suite("SharedRateLimiter: changes of quota")
struct QuotaChangeTests {
  /// A limiter whose quota can be changed.
  private final class Changing: Sendable {
    private let quota: Locked<Quota>

    init(_ quota: Quota) {
      self.quota = Locked(quota)
    }

    func change(to quota: Quota) { self.quota.withLock { $0 = quota } }

    func limiter(_ store: RedisStore) -> SharedRateLimiter<String> {
      SharedRateLimiter(in: store, onFailure: .deny, name: { $0 }) { _ in
        self.quota.withLock { $0 }
      }
    }
  }

  private static let day = Duration.seconds(86_400)

  @Test(
    "a request that gathers behind a call is decided by its own quota",
    arguments: [
      (Quota(rate: .perSecond(10), burst: 1), Quota(rate: .perSecond(10), burst: 100), 5),
      (
        Quota(rate: .every(day), burst: 1),
        Quota(rate: .perSecond(1_000_000_000), burst: 1_000_000_000), 200_000_000
      ),
    ])
  func gathers(old: Quota, new: Quota, cost: Int) async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let quota = Changing(old)
    let limiter = quota.limiter(server.store())
    server.behaviour = .holds
    let first = Task { await limiter.request(for: "a") }
    await clock.sleepers(atLeast: 1)
    let before = Task { await limiter.request(for: "a") }
    await clock.sleepers(atLeast: 2)
    quota.change(to: new)
    let after = Task { await limiter.request(cost, for: "a") }
    await clock.sleepers(atLeast: 3)
    server.behaviour = .answers
    server.release()
    #expect(await first.value.isAllowed)
    let refusal = await before.value
    #expect(!refusal.isAllowed && refusal.source == .memory)
    let decision = await after.value
    #expect(decision.isAllowed && decision.source == .store)
    #expect(decision.remaining == new.burst - cost - 1)
    #expect(server.calls.count == 2)
  }

  @Test("requests of one cost share a call only if they have one quota")
  func sharing() async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let quota = Changing(Quota(rate: .perSecond(10), burst: 5))
    let limiter = quota.limiter(server.store())
    server.behaviour = .holds
    var tasks = [Task<Decision, Never>]()
    for burst in [5, 5, 9, 5, 9] {
      quota.change(to: Quota(rate: .perSecond(10), burst: burst))
      tasks.append(Task { await limiter.request(for: "a") })
      await clock.sleepers(atLeast: tasks.count)
    }
    server.behaviour = .answers
    server.release()
    var left = [Int]()
    for task in tasks { left.append(await task.value.remaining) }
    #expect(left == [4, 3, 5, 2, 4])
    #expect(server.calls.map { $0.arguments[0] } == ["1", "2", "2"])
  }

  @Test("a debt that the new quota's units cannot count is the largest", arguments: [true, false])
  func largestDebt(inMemory: Bool) async {
    let clock = ManualClock()
    let store = inMemory ? RedisStore.inMemory(clock: clock) : ScriptedServer(clock).store()
    let quota = Changing(Quota(rate: .perSecond(1_000_000_000), burst: 1_000_000_000))
    let limiter = quota.limiter(store)
    #expect(await limiter.take(upTo: .max, for: "a") == 1_000_000_000)
    quota.change(to: Quota(rate: .every(Self.day), burst: 1))
    let refusal = await limiter.request(for: "a")
    #expect(!refusal.isAllowed && refusal.source == .store)
    #expect(refusal.retryAfter == .microseconds(BucketTerms.largest))
    #expect(store.statistics.failed == 0)
    quota.change(to: Quota(rate: .perSecond(1_000_000_000), burst: 1_000_000_000))
    #expect(
      await limiter.peek(for: "a").retryAfter == .microseconds(1), "the refusal wrote nothing")
  }
}
