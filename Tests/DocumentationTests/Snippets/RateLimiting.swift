import Foundation
import Pacing
import PacingHTTP
import PacingTesting
import Testing

@Suite("RateLimiting.md")
struct RateLimitingSnippets {
  private let transcript = Transcript()

  @Test("the verbs")
  func verbs() async throws {
    let send = { @Sendable in }
    @Sendable func print(_ result: Result<Charge, AcquireError>) {}
    // snippet: limits-verbs
    let limiter = RateLimiter(
      .tokenBucket(rate: .perSecond(10), burst: 20).named("burst"),
      .slidingWindow(1000, per: .seconds(3600)).named("hourly"))

    if limiter.tryAcquire() { send() }  // now or not at all
    let decision = limiter.request(3)  // the same, with details: retryAfter, refusedBy …
    let look = limiter.peek(3)  // what it would answer; spends nothing
    try await limiter.acquire(within: .seconds(1))  // in turn, or refused at once
    let handle = limiter.acquire(2) { result in print(result) }  // the same with a closure
    handle.cancel()  // if it still waits, it has spent nothing
    for await _ in limiter.ticks().prefix(3) { send() }  // one for each element
    limiter.pause(for: .seconds(30))  // nothing is granted until then
    // end
    #expect(decision.isAllowed && look.isAllowed)
  }

  @Test("at the pace of a limit")
  func wrapped() async throws {
    let limiter = RateLimiter(.slidingWindow(100, per: .seconds(86_400)))
    let client = Client()
    let policy = RetryPolicy(backoff: .exponential(from: .seconds(1)))
    let pages = AsyncStream { continuation in
      for page in 1...3 { continuation.yield(page) }
      continuation.finish()
    }
    let saved = EventRecorder<Int>()
    let save = { @Sendable (page: Int) async throws in saved.record(page) }
    for await page in pages.limited(by: limiter) { try await save(page) }
    let first = try await retry(policy.limited(by: limiter)) { try await client.get(1) }
    #expect(first == 200)
    #expect(saved.values == [1, 2, 3] && limiter.available == 96)
  }

  @Test("a queue that serves the newest")
  func waiting() {
    // snippet: limits-waiting
    let newest = QueuePolicy(maximumWaiters: 200, newestFirst: true, whenFull: .makeRoom)
    let limiter = TokenBucket(rate: .perSecond(50), burst: 10, queue: newest)
    // end
    #expect(limiter.available == 10)
  }

  @Test("a limit for each key")
  func keyed() async throws {
    let saved = EventRecorder<Int>()
    let save = { @Sendable (page: Int) async throws in saved.record(page) }
    let pages = AsyncStream { continuation in
      for page in 1...3 { continuation.yield(page) }
      continuation.finish()
    }
    // snippet: limits-keyed
    let users = KeyedRateLimiter<String>(rate: .perSecond(5), burst: 10, maximumKeys: 100_000)
    let decision = users.request(for: "ann")  // tryAcquire, peek, take, pause …
    let charge = try await users.acquire(3, for: "ann", within: .seconds(1))
    charge.settle(2)
    for await page in pages.limited(by: users.limit(for: "ann")) { try await save(page) }
    // end
    #expect(decision.isAllowed && saved.values == [1, 2, 3] && users.available(for: "ann") >= 4)
  }

  @Test("windows and several limits for each key")
  func windowsByKey() async throws {
    // snippet: limits-by-key
    let plans = KeyedRateLimiter<String>(maximumKeys: 100_000) { _ in
      [
        .slidingWindow(100, per: .seconds(60)).named(.requests),
        .tokenBucket(rate: .perMinute(20_000), burst: 20_000).named(.tokens),
      ]
    }
    let spent = try await plans.acquire([.requests: 1, .tokens: 1800], for: "ann")
    spent.settle([.tokens: 1200])  // what the answer took
    // end
    #expect(plans.request([.tokens: 20_000], for: "ann").refusedBy == .tokens)
    #expect(plans.request([.requests: 100], for: "ann").refusedBy == .requests)
    #expect(plans.request([.requests: 100, .tokens: 20_000], for: "eve").isAllowed)
  }

  @Test("at most so many at the same time")
  func permits() async throws {
    let client = Client()
    let start = { @Sendable (work: @escaping @Sendable () -> Void) in work() }
    // snippet: limits-permits
    let downloads = ConcurrencyLimit(4)

    let page = try await downloads.withPermit { try await client.get(1) }
    let soon = try await downloads.withPermit(within: .seconds(1)) { try await client.get(2) }

    if let permit = downloads.tryAcquire() {  // now or not at all
      start { permit.release() }  // held until it is given back, or dropped
    }
    // end
    #expect(page == 200 && soon == 200)
    #expect(downloads.available == 4 && downloads.statistics.granted == 3)
  }

  @Test("at most so many at the same time for each key")
  func permitsByKey() async throws {
    struct Tenant: Hashable { let isPaying: Bool }
    let client = Client()
    // snippet: limits-permits-by-key
    let hosts = KeyedConcurrencyLimit<String>(perKey: 4, total: 64)

    let page = try await hosts.withPermit(for: "example.org", within: .seconds(30)) {
      try await client.get(1)
    }
    let tenants = KeyedConcurrencyLimit<Tenant>(total: 64, maximumKeys: 10_000) { tenant in
      tenant.isPaying ? 16 : 2  // asked at each call
    }
    // end
    #expect(page == 200 && hosts.keyCount == 0)
    let permits = (0..<3).map { _ in tenants.tryAcquire(for: Tenant(isPaying: false)) }
    #expect(permits.count { $0 != nil } == 2)
  }

  @Test("as many at the same time as the server can bear")
  func adaptive() async throws {
    struct Response { let status: Int }
    let client = Client()
    let send = { @Sendable (page: Int) async throws in Response(status: 429) }
    // snippet: limits-adaptive
    let server = ConcurrencyLimit(adaptive: 1...200, startingAt: 20)

    let answer = try await server.withPermit(within: .seconds(10)) {
      try await withTimeout(.seconds(5)) { try await client.get(1) }
    }

    if let permit = server.tryAcquire() {  // without a closure
      let response = try await send(2)
      if response.status == 429 { permit.drop() } else { permit.release() }
    }
    // end
    #expect(answer == 200 && server.count == 18 && server.heldCount == 0)
  }

  @Test("a limit that the server corrects")
  func corrected() async throws {
    struct Response { let used: Int, headers: [String: String] }
    func ask(_ prompt: String) async throws -> Response {
      Response(
        used: 1340,
        headers: ["x-ratelimit-remaining-requests": "3", "x-ratelimit-remaining-tokens": "9000"])
    }
    let model = RateLimiter(
      .tokenBucket(rate: .perMinute(60), burst: 10).named(.requests),
      .tokenBucket(rate: .perMinute(90_000), burst: 20_000).named(.tokens), clock: ManualClock())
    let spent = try await model.acquire([.requests: 1, .tokens: 1800])
    let response = try await ask("question")
    spent.settle([.tokens: response.used])
    model.correct(by: RateLimitFields { response.headers[$0] })
    #expect(model.requestEach(0).map(\.remaining) == [3, 9000])
  }

  @Test("a bucket that continues in the next run")
  func restart() {
    let bucket = TokenBucket(rate: .perHour(10), burst: 10)
    #expect(bucket.tryAcquire(10))
    // snippet: limits-restart
    let saved = (tokens: bucket.available, at: Date())

    // the next run
    let initial = max(0, min(10, saved.tokens))
    let resumed = TokenBucket(rate: .perHour(10), burst: 10, initial: initial)
    let accrued = Date().timeIntervalSince(saved.at) / 360  // a token every six minutes
    resumed.add(Int(max(0, min(10, accrued))))  // none if the clock was set back
    // end
    #expect(!resumed.tryAcquire())
  }

  @Test("costs by name")
  func costs() async throws {
    func ask(_ prompt: String) async throws -> (String, Int) { ("answer", 1340) }
    // snippet: limits-costs
    let model = RateLimiter(
      .tokenBucket(rate: .perMinute(60), burst: 10).named(.requests),
      .tokenBucket(rate: .perMinute(90_000), burst: 20_000).named(.tokens))

    let spent = try await model.acquire([.requests: 1, .tokens: 1800])  // all or none
    let (answer, used) = try await ask("question")
    spent.settle([.tokens: used])  // what it really was; the request stays charged
    // end
    #expect(answer == "answer" && model.available == 9)
  }

  @Test("a server that protects itself refuses the user that asks too often")
  func server() {
    // snippet: limits-server
    enum Caller: Hashable { case user(String), everyone }

    let callers = KeyedRateLimiter<Caller>(maximumKeys: 100_000) { caller in
      caller == .everyone
        ? Quota(rate: .perSecond(2000), burst: 500) : Quota(rate: .perSecond(5), burst: 10)
    }

    func status(for user: String) -> Int {
      callers.request(for: [.user(user), .everyone]).decision.isAllowed ? 200 : 429
    }
    // end
    for _ in 1...10 { #expect(status(for: "ann") == 200) }
    #expect(status(for: "bob") == 200 && callers.available(for: .everyone) > 400)
  }
}

private struct Client {
  func get(_ page: Int) async throws -> Int { 200 }
}
