import Pacing
import PacingHTTP
import PacingTesting
import Testing

// snippet: recipe-client-middleware
/// Keeps the requests of a client within a limit, and retries what the server was too busy for.
struct RetryMiddleware<Request: Sendable, Response: Sendable>: Sendable {
  let limiter: TokenBucket
  let policy: RetryPolicy
  var clock: any Clock<Duration> = .dispatch
  let read: @Sendable (Response) -> (status: Int, fields: RateLimitFields)

  func intercept(
    _ request: Request, next: (Request) async throws -> Response
  ) async throws -> Response {
    try await retry(policy.limited(by: limiter), clock: clock, judging: advice) {
      let response = try await next(request)
      if let pause = read(response).fields.pause(atMost: .seconds(60)) { limiter.pause(for: pause) }
      return response
    }
  }

  private func advice(on response: Response) -> RetryAdvice? {
    let (status, fields) = read(response)
    guard status == 429 || status == 503 else { return nil }
    return fields.pause().map { .retry(after: $0) } ?? .retry
  }
}
// end

@Suite("APIClient.md")
struct APIClientSnippets {
  @Test("middleware comes again when the server says, and returns what it accepts")
  func middleware() async throws {
    let clock = ManualClock(step: .seconds(1))
    let sent = EventRecorder<Character>(clock: clock)
    let middleware = RetryMiddleware<Character, Int>(
      limiter: TokenBucket(rate: .perSecond(1), burst: 1, clock: clock),
      policy: RetryPolicy(backoff: .constant(.seconds(1))), clock: clock
    ) { status in
      (status, RateLimitFields { status == 429 && $0 == "Retry-After" ? "3" : nil })
    }
    let answer = clock.run {
      try await middleware.intercept("a") { request in
        sent.record(request)
        return sent.values.count == 1 ? 429 : 200
      }
    }
    clock.advance(by: .seconds(4))
    #expect(try await answer.value == 200 && sent.marbles == "a--a-")
  }
}
