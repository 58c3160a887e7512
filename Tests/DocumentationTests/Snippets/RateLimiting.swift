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
    for await grant in limiter.ticks() where grant.index == 2 { break }  // one for each element
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
    // snippet: limits-wrapped
    let fetch = limiter.limiting { (page: Int) in try await client.get(page) }
    for await page in pages.limited(by: limiter) { try await save(page) }
    let first = try await retry(policy.limited(by: limiter)) { try await client.get(1) }
    // end
    #expect(try await fetch(2) == 200 && first == 200)
    #expect(saved.values == [1, 2, 3] && limiter.available == 95)
  }

  @Test("a cost that is known afterwards")
  func settle() async throws {
    func model(_ prompt: String) async throws -> (String, Int) { ("answer", 340) }
    // snippet: limits-settle
    let tokens = TokenBucket(rate: .perMinute(60_000), burst: 10_000)

    func complete(_ prompt: String) async throws -> String {
      let spent = try await tokens.acquire(1000)  // an estimate
      let (answer, used) = try await model(prompt)
      spent.settle(used)  // the surplus is available to others immediately
      return answer
    }
    // end
    #expect(try await complete("question") == "answer")
    #expect(tokens.available >= 10_000 - 340)
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
    let server = ConcurrencyLimit(.adaptive(1...200, startingAt: 20))

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
    // snippet: limits-corrected
    let spent = try await model.acquire([.requests: 1, .tokens: 1800])
    let response = try await ask("question")
    spent.settle([.tokens: response.used])
    model.correct(by: RateLimitFields { response.headers[$0] })
    // end
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

  @Test("a client that obeys a server pauses for as long as it asks")
  func client() async throws {
    let api = Example.API(clock: ManualClock())
    let response = try await api.fetch(2)
    #expect(response.status == 200)
    #expect(api.limiter.peek().retryAfter == .seconds(30))
  }

  @Test("a server that protects itself tells the clients that it refuses")
  func server() {
    let gate = Example.Gate(clock: ManualClock())
    let answers = (0..<12).map { _ in gate.answer(7) }
    #expect(answers.first?.status == 200 && answers.last?.status == 429)
    #expect(answers.first?.headers["RateLimit-Policy"] == #""user";q=10;w=2"#)
    #expect(answers.last?.headers["Retry-After"] == "1" && gate.answer(8).status == 200)
  }
}

private struct Response: Sendable {
  var status: Int
  var headers = [String: String]()
}

private struct TooManyRequests: Error {}

private struct Client {
  func get(_ page: Int) async throws -> Int { 200 }
}

/// Refuses nothing, but has nothing left afterwards.
private func send(_ page: Int) async throws -> Response {
  Response(status: 200, headers: ["RateLimit": #""default";r=0;t=3600"#])
}

private func work(_ user: UInt64) -> Response { Response(status: 200) }

private enum Example {
  // snippet: limits-client
  struct API: Sendable {
    let limiter: RateLimiter

    init(clock: any Clock<Duration> = .dispatch) {
      limiter = RateLimiter(.tokenBucket(rate: .perSecond(10), burst: 10), clock: clock)
    }

    func fetch(_ page: Int) async throws -> Response {
      for _ in 1...5 {
        try await limiter.acquire(within: .seconds(60))
        let response = try await send(page)
        let answer = RateLimitFields { response.headers[$0] }
        if let pause = answer.pause(atMost: .seconds(30)) { limiter.pause(for: pause) }
        if response.status != 429 { return response }
      }
      throw TooManyRequests()
    }
  }
  // end

  // snippet: limits-server
  enum Caller: Hashable {
    case user(UInt64), everyone

    var quota: Quota {
      switch self {
      case .user: Quota(rate: .perSecond(5), burst: 10)
      case .everyone: Quota(rate: .perSecond(2000), burst: 500)
      }
    }

    var name: Limit.Name { self == .everyone ? "everyone" : "user" }
  }

  struct Gate: Sendable {
    let limiter: KeyedRateLimiter<Caller>

    init(clock: any Clock<Duration> = .dispatch) {
      limiter = KeyedRateLimiter(maximumKeys: 100_000, whenFull: .refuse, clock: clock) { $0.quota }
    }

    func answer(_ user: UInt64) -> Response {
      let verdict = limiter.request(for: [.user(user), .everyone])
      let limit = Limit.tokenBucket(verdict.key.quota).named(verdict.key.name)
      var response = verdict.isAllowed ? work(user) : Response(status: 429)
      for (name, value) in RateLimitFields(verdict.decision, under: limit).fields {
        response.headers[name] = value
      }
      return response
    }
  }
  // end
}
