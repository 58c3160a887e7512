import Pacing
import PacingHTTP
import PacingRedis
import PacingTesting

func shareLimits() async throws {
  let clock = ManualClock()
  let store = RedisStore.inMemory(clock: clock)
  let users = SharedRateLimiter<UInt64>(
    rate: .perSecond(5), burst: 2, in: store, onFailure: .localShare(of: 4),
    leasing: Lease(atMost: 10, for: .milliseconds(50))
  ) { "user-\($0)" }
  verify(await users.tryAcquire(2, for: 7), "a bucket of its own")
  let refusal = await users.request(for: 7)
  verify(refusal.retryAfter == .milliseconds(200) && refusal.source == .memory, "remembered")
  verify(await users.request(for: [8, 9]).decision.isAllowed, "both")
  verify(await users.take(upTo: 9, for: 8) == 1, "the rest")
  verify(await users.penalize(3, for: 9), "a penalty")
  verify(await users.peek(for: 9).isAllowed == false, "to be paid")
  verify(await users.reset(9), "forgotten")
  try await users.acquire(for: 9, within: .zero)
  verify(users.statistics.granted == 4 && store.isAvailable, "counted")
  verify(await spendKeyed(users) && store.statistics.calls > 0, "as any of its kind")

  let away = RedisStore(StorePolicy(timeout: .milliseconds(10), parts: 4), clock: clock) { call in
    throw StoreError(reason: "\(call.command) \(call.words.count) \(call.keys)")
  }
  let quota = Quota(rate: .perSecond(5), burst: 2)
  let denied = SharedRateLimiter<String>(
    in: away, onFailure: .deny, name: { $0 }, quota: { _ in quota })
  let decision = await denied.request(for: "a")
  verify(decision.source == .failurePolicy && decision.refusedBy == "store", "\(decision)")
  for await state in away.states() {
    verify(state == .available, "one failure is none")
    break
  }
}

/// What keeps to a limit by key need not know which.
func spendKeyed(_ limit: some KeyedLimitingTool<UInt64>) async -> Bool {
  await limit.request(1, for: 1).isAllowed
}

func describeLimits() {
  let limits: [Limit] = [
    .tokenBucket(rate: .perSecond(1), burst: 1), .fixedWindow(9, per: .seconds(60)).named("minute"),
  ]
  let limiter = RateLimiter(limits, clock: ManualClock())
  let writer = RateLimitWriter(limits)
  let fields = writer.fields(for: limiter.requestEach())
  verify(fields.map(\.name) == ["RateLimit-Policy", "RateLimit"], "\(fields)")
  verify(RateLimitFields(limiter.requestEach(), under: limits).retryAfter == .seconds(1), "a wait")
}
