import AsyncHTTPClient
import Foundation
import Pacing
import PacingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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
      let pause = read(response).fields.pause(atMost: policy.maximumHint)
      if let pause { limiter.pause(for: pause) }
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

/// The status of a page, by async-http-client.
func status(_ url: String, limiter: TokenBucket, policy: RetryPolicy) async throws -> Int {
  // snippet: recipe-client-async
  let client = RetryMiddleware<HTTPClientRequest, HTTPClientResponse>(
    limiter: limiter, policy: policy
  ) { response in
    (Int(response.status.code), RateLimitFields { response.headers.first(name: $0) })
  }
  let page = try await client.intercept(HTTPClientRequest(url: url)) {
    try await HTTPClient.shared.execute($0, timeout: .seconds(30))
  }
  // end
  return Int(page.status.code)
}

/// The same by Foundation's URLSession.
func sessionStatus(_ url: URL, limiter: TokenBucket, policy: RetryPolicy) async throws -> Int? {
  // snippet: recipe-client-urlsession
  let client = RetryMiddleware<URL, (Data, URLResponse)>(limiter: limiter, policy: policy) { page in
    let response = page.1 as? HTTPURLResponse
    let fields = RateLimitFields { response?.value(forHTTPHeaderField: $0) }
    return (response?.statusCode ?? 200, fields)
  }
  let page = try await client.intercept(url) { try await URLSession.shared.data(from: $0) }
  // end
  return (page.1 as? HTTPURLResponse)?.statusCode
}

/// What a client of a server of ten requests a second needs.
func politeness() -> (TokenBucket, RetryPolicy) {
  // snippet: recipe-client-use
  let limiter = TokenBucket(rate: .perSecond(10), burst: 10)
  let policy = RetryPolicy(
    backoff: .exponential(from: .milliseconds(200)).capped(at: .seconds(20)).jittered(.full),
    maximumAttempts: 5
  ).obeyingHints(atMost: .seconds(60))
  // end
  return (limiter, policy)
}
