import Pacing
import PacingHTTP
import PacingRedis
import PacingTesting
import Testing

@Suite("The first pages of the products")
struct FrontPages {
  @Test("PacingTesting")
  func testing() {
    // snippet: front-testing
    let clock = ManualClock(step: .milliseconds(100))
    let searches = EventRecorder<Character>(clock: clock)
    let search = Debouncer(for: .milliseconds(300), clock: clock, handler: searches.record)
    clock.play("s-w-i-------ft------") { search.send($0) }
    #expect(searches.marbles == "-------i--------t---")
    // end
  }

  @Test("PacingHTTP")
  func http() {
    struct Response { var headers = [String: String]() }
    let limiter = TokenBucket(rate: .perSecond(1), burst: 1, clock: ManualClock())
    let limit = Limit.tokenBucket(rate: .perSecond(1), burst: 1).named("all")
    var response = Response()
    _ = limiter.tryAcquire()
    // snippet: front-http
    for (name, value) in RateLimitFields(limiter.request(), under: limit).fields {
      response.headers[name] = value
    }

    let answer = RateLimitFields { response.headers[$0] }
    if let pause = answer.pause() { limiter.pause(for: pause) }
    // end
    #expect(answer.pause() == .seconds(1))
  }

  @Test("PacingRedis")
  func redis() async {
    struct Client {
      func send(_ command: String, _ words: [String]) async throws -> [Int64] { throw Away() }
      struct Away: Error {}
    }
    let (client, user) = (Client(), "ann")
    // snippet: front-redis
    let store = RedisStore { call in
      try await client.send(call.command, call.words)
    }
    let limiter = SharedRateLimiter<String>(
      rate: .perSecond(100), burst: 200, in: store, onFailure: .localShare(of: 4)
    ) { "limit:\($0)" }
    let decision = await limiter.request(for: user)
    // end
    #expect(decision.isAllowed && decision.source == .failurePolicy)
  }
}
