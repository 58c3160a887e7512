import AsyncHTTPClient
import Pacing
import PacingHTTP
import PacingTesting
import Testing

@testable import services

@Suite("An API's client, on virtual time")
struct APIClientTests {
  @Test("comes again when the server says, and all callers with it")
  func hints() async throws {
    let clock = ManualClock(step: .seconds(1))
    let sent = EventRecorder<Character>(clock: clock)
    let client = RetryMiddleware<Character, Int>(
      limiter: TokenBucket(rate: .perSecond(1), burst: 1, clock: clock),
      policy: RetryPolicy(backoff: .constant(.seconds(1))), clock: clock
    ) { status in
      (status, RateLimitFields { status == 429 && $0 == "Retry-After" ? "3" : nil })
    }
    let pages: [Character] = ["a", "b"]
    let answers = pages.map { page in
      clock.run {
        try await client.intercept(page) { request in
          sent.record(request)
          return sent.values.count == 1 ? 429 : 200
        }
      }
    }
    clock.advance(by: .seconds(4))
    #expect(sent.marbles == "a--ba")  // b was in the queue before a came again
    for answer in answers { #expect(try await answer.value == 200) }
  }

  // snippet: recipe-tests-model
  @Test("pauses all calls when one is refused, and settles by what was used")
  func model() {
    let clock = ManualClock(step: .seconds(1))
    let sent = EventRecorder<Character>(clock: clock)
    let client = ModelClient(
      limiter: RateLimiter(
        .tokenBucket(rate: .perMinute(60), burst: 10).named(.requests),
        .tokenBucket(rate: .perMinute(6000), burst: 2000).named(.tokens), clock: clock),
      permits: ConcurrencyLimit(4, clock: clock),
      policy: RetryPolicy(backoff: .constant(.seconds(1))), clock: clock
    ) { request in
      sent.record(request.url.last!)
      return sent.values.count == 1
        ? HTTPClientResponse(status: .tooManyRequests, headers: ["Retry-After": "4"])
        : HTTPClientResponse(status: .ok, headers: ["x-used-tokens": "300"])
    }
    clock.play("a-b-----") { mark in
      clock.run { try await client.ask(String(mark), most: 1000) }
    }
    #expect(sent.marbles == "a---(ba)---")  // b gives back 700 tokens, so a need not wait for more
  }
  // end
}
