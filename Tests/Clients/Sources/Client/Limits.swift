import Pacing
import PacingHTTP
import PacingTesting

func combineLimits() async throws {
  let clock = ManualClock()
  let limiter = RateLimiter(
    .tokenBucket(rate: .perSecond(10), burst: 2).named("burst"),
    .fixedWindow(4, per: .seconds(60), fromCreation: true),
    .slidingWindow(4, per: .seconds(60)).named("minute"), clock: clock)
  verify(limiter.tryAcquire() && limiter.request().isAllowed, "two at once")
  verify(limiter.peek().refusedBy == "burst", "the one that refuses is named")
  async let turn = limiter.acquire(2, within: .seconds(1))
  await clock.sleepers(atLeast: 1)
  clock.advance(by: .milliseconds(200))
  _ = try await turn
  verify(limiter.available == 0 && limiter.waitingCount == 0, "the window is full")

  let handle = limiter.acquire(within: nil, on: .shared) { _ in verify(false, "withdrawn") }
  verify(handle.cancel(), "it was withdrawn")
  limiter.pause(for: .seconds(90))
  verify(limiter.peek().retryAfter == .seconds(90), "a pause holds")
  limiter.resume()
  clock.advance(by: .seconds(60))
  for await _ in limiter.ticks().prefix(2) {}
  limiter.reset()
  verify(limiter.take(upTo: 9) == 2, "as at first")
  limiter.close()
  do {
    try await limiter.acquire()
    verify(false, "this is refused")
  } catch let error as AcquireError {
    verify(error == .closed, "\(error)")
  }
}

extension Limit.Name {
  static let images: Limit.Name = "images"
}

/// Costs by name are charged by an estimate, and settled when the answer is there.
func settleCosts() async throws {
  let clock = ManualClock()
  let model = RateLimiter(
    .tokenBucket(rate: .perMinute(60), burst: 10).named(.requests),
    .tokenBucket(rate: .perMinute(6000), burst: 5000).named(.tokens),
    .fixedWindow(2, per: .seconds(60)).named(.images), clock: clock)
  let spent = try await model.acquire([.requests: 1, .tokens: 1000, .images: 1])
  spent.settle([.tokens: 3417])
  verify(model.requestEach([.tokens: 1583]).map(\.isAllowed) == [true, true, true], "the rest")
  verify(model.peek([.tokens: 1]).refusedBy == .tokens, "what was used is what counts")
  spent.cancel()
  verify(model.peek([.images: 2]).isAllowed, "given back")
  verify(model.correct(.tokens, remaining: 7) && !model.correct("others", remaining: 1), "names")
  model.correct(by: RateLimitFields { $0 == "x-ratelimit-remaining-tokens" ? "3" : nil })
  verify(model.take(upTo: 9) == 2 && model.peek([.tokens: 1]).isAllowed, "corrected")
}

/// Permits for each key, and as many as a server can bear.
func takePermits() async throws {
  let clock = ManualClock()
  let hosts = KeyedConcurrencyLimit<String>(perKey: 1, total: 2, clock: clock)
  let held = try await hosts.withPermit(for: "a") { hosts.tryAcquire(for: "a") == nil }
  verify(held && hosts.keyCount == 0, "one of the key")
  let own = KeyedConcurrencyLimit<Int>(total: 9, maximumKeys: 9, clock: clock) { $0 }
  let permit = try await own.acquire(for: 1, within: .seconds(1))
  verify(own.tryAcquire(for: 1) == nil && own.heldCount == 1, "a count of its own")
  permit.release()
  let server = ConcurrencyLimit(
    adaptive: 1...9, startingAt: 2, isOverload: { $0 is CancellationError }, clock: clock)
  for _ in 0..<2 { try await server.withPermit {} }
  verify(server.count == 3, "two successes of two permits")
  server.tryAcquire()?.drop()
  verify(server.count == 2, "a sign of overload")
}

/// What keeps to a limit need not know which.
func spendAny(_ limit: some LimitingTool) async throws {
  verify(limit.tryAcquire() && limit.request().isAllowed, "two at once")
  try await limit.acquire(2, within: .zero)
  try await limit.acquire()
  verify(limit.take(upTo: 9) == 1 && !limit.peek().isAllowed, "nothing is left")
  let handle = limit.acquire(within: .seconds(600)) { _ in verify(false, "withdrawn") }
  verify(limit.waitingCount == 1 && handle.cancel() && limit.available == 0, "one waited")
  verify(limit.statistics == limit.statistics && limit.statistics.tokens == 6, "counted")
}

func spendAll() async throws {
  let clock = ManualClock()
  try await spendAny(TokenBucket(rate: .perMinute(1), burst: 6, clock: clock))
  try await spendAny(
    RateLimiter(
      .slidingWindow(6, per: .seconds(60)),
      queue: QueuePolicy(maximumWaiters: 1, newestFirst: true),
      clock: clock))
}

nonisolated enum Scope: Hashable, Sendable {
  case user(UInt64)
  case everyone
}

func limitByKey() {
  let clock = ManualClock()
  let users = KeyedRateLimiter<UInt64>(
    rate: .perSecond(5), burst: 2, maximumKeys: 1000, whenFull: .refuse, clock: clock)
  verify(users.tryAcquire(2, for: 7) && !users.tryAcquire(for: 7), "a bucket of its own")
  verify(users.request(for: 8).remaining == 1 && users.peek(for: 7).retryAfter != nil, "answers")
  users.reset(7)
  verify(users.tryAcquire(for: 7) && users.keyCount == 2, "forgotten")
  verify(users.take(upTo: 9, for: 9) == 2, "all that it has")
  users.reset(9)
  users.penalize(5, for: 9)
  verify(users.peek(for: 9).retryAfter == .milliseconds(800), "a penalty")

  let limiter = KeyedRateLimiter<Scope>(maximumKeys: 1000, clock: clock) { scope in
    switch scope {
    case .user: Quota(rate: .perSecond(5), burst: 2)
    case .everyone: Quota(rate: .perSecond(5), burst: 3)
    }
  }
  verify(limiter.request(2, for: [.user(1), .everyone]).decision.isAllowed, "both allow it")
  let (key, refusal) = limiter.request(2, for: [.user(2), .everyone])
  verify(key == .everyone && refusal.retryAfter != nil, "one refuses")

  let models = KeyedRateLimiter<UInt64>(maximumKeys: 1000, clock: clock) { _ in
    [
      .slidingWindow(2, per: .seconds(60)).named(.requests),
      .tokenBucket(rate: .perMinute(900), burst: 900).named(.tokens),
    ]
  }
  verify(models.request([.requests: 1, .tokens: 900], for: 7).isAllowed, "both of its limits")
  verify(
    models.request([.requests: 1, .tokens: 15], for: 7).refusedBy == .tokens, "by one of them")
  verify(models.tryAcquire(2, for: 8) && !models.tryAcquire(for: 8), "a window of its own")
}

func tellClients() {
  let limit = Limit.tokenBucket(rate: .perSecond(1), burst: 1).named("all")
  let limiter = RateLimiter(limit, clock: ManualClock())
  _ = limiter.tryAcquire()
  var headers = [String: String]()
  for (name, value) in RateLimitFields(limiter.request(), under: limit).fields {
    headers[name] = value
  }
  let answer = RateLimitFields { headers[$0] }
  verify(answer.pause() == .seconds(1), "\(headers)")
  verify(answer.policies == [QuotaPolicy("all", quota: 1, window: .seconds(1))], "the policy")
  verify(answer.limits == [ServiceLimit("all", remaining: 0, resetAfter: .seconds(1))], "the rest")
}
