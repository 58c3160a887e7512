import AsyncHTTPClient
import NIOCore
import Pacing
import PacingHTTP

// snippet: recipe-model-client
/// A client of a model that limits requests and tokens, and runs a few calls at a time.
struct ModelClient: Sendable {
  let limiter: RateLimiter
  let permits: ConcurrencyLimit
  let policy: RetryPolicy
  var clock: any Clock<Duration> = .dispatch
  let send: @Sendable (HTTPClientRequest) async throws -> HTTPClientResponse

  /// Asks a question whose answer has at most `most` tokens, and returns it with what it took.
  func ask(_ url: String, most: Int) async throws -> (answer: String, tokens: Int) {
    try await retry(policy, clock: clock) {
      try await permits.withPermit {
        let spent = try await limiter.acquire([.requests: 1, .tokens: most])
        let response = try await send(HTTPClientRequest(url: url))
        let fields = RateLimitFields { response.headers.first(name: $0) }
        let used = response.headers.first(name: "x-used-tokens").flatMap { Int($0) }
        spent.settle([.tokens: used ?? most])
        limiter.correct(by: fields)
        guard response.status == .ok else {
          let pause = fields.pause()
          if let pause { limiter.pause(for: pause) }
          throw Refused(pause: pause)
        }
        return (String(buffer: try await response.body.collect(upTo: 1 << 20)), used ?? most)
      }
    }
  }

  struct Refused: RetryAdvising {
    let pause: Duration?
    var retryAdvice: RetryAdvice? { pause.map { .retry(after: $0) } ?? .retry }
  }
}
// end
