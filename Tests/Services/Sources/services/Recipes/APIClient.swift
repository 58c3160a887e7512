import AsyncHTTPClient
import Pacing
import PacingHTTP

// snippet: recipe-client-advice
extension RetryAdvice {
  /// What a response asks for: nothing, a retry, or a retry after a wait.
  static func on(status: Int, _ field: (String) -> String?) -> RetryAdvice? {
    guard status == 429 || status == 503 else { return nil }
    return RateLimitFields(reading: field).pause().map { .retry(after: $0) } ?? .retry
  }
}
// end

// snippet: recipe-client-api
/// Keeps to a limit, and waits if the server asks: all callers together.
struct APIClient: Sendable {
  let limiter: TokenBucket
  let policy: RetryPolicy
  var longestPause = Duration.seconds(60)
  var clock: any Clock<Duration> = .dispatch
  let send: @Sendable (HTTPClientRequest) async throws -> HTTPClientResponse

  func get(_ url: String) async throws -> HTTPClientResponse {
    try await retry(policy, clock: clock, judging: advice) {
      try await limiter.acquire()
      let response = try await send(HTTPClientRequest(url: url))
      let fields = RateLimitFields { response.headers.first(name: $0) }
      if let pause = fields.pause(atMost: longestPause) { limiter.pause(for: pause) }
      return response
    }
  }

  private func advice(on response: HTTPClientResponse) -> RetryAdvice? {
    .on(status: Int(response.status.code)) { response.headers.first(name: $0) }
  }
}
// end

/// A client as a program makes it.
func pricesClient() -> APIClient {
  // snippet: recipe-client-use
  let policy = RetryPolicy(
    backoff: .exponential(from: .milliseconds(200)).capped(at: .seconds(20)).jittered(.full),
    maximumAttempts: 5
  ).obeyingHints(atMost: .seconds(60))
  let prices = APIClient(limiter: TokenBucket(rate: .perSecond(10), burst: 10), policy: policy) {
    try await HTTPClient.shared.execute($0, timeout: .seconds(30))
  }
  // end
  return prices
}
