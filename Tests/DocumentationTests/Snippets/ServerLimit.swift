import Pacing
import PacingHTTP
import PacingRedis
import PacingTesting
import Testing

// snippet: recipe-limit-gate
/// Decides about a request before its handler runs.
struct UserGate<Limiter: KeyedLimitingTool<String>>: Sendable {
  let limiter: Limiter
  let writer: RateLimitWriter

  /// The status of a refusal, or nil for a request that may pass, and the fields of its response.
  func check(_ user: String) async -> (refusal: Int?, fields: [(name: String, value: String)]) {
    let decision = await limiter.request(1, for: user)
    let fields = writer.fields(for: decision)
    if decision.isAllowed { return (nil, fields) }
    return (decision.source == .failurePolicy ? 503 : 429, fields)
  }
}
// end

@Suite("ServerLimit.md")
struct ServerLimitSnippets {
  // snippet: recipe-limit-gate-use
  @Test("admits the burst, then what comes at the rate")
  func gate() async {
    let (clock, quota) = (ManualClock(), Quota(rate: .perSecond(5), burst: 10))
    let gate = UserGate(
      limiter: KeyedRateLimiter<String>(maximumKeys: 100_000, clock: clock) { _ in quota },
      writer: RateLimitWriter(.tokenBucket(quota).named("user")))
    for _ in 1...10 { #expect(await gate.check("ann").refusal == nil) }
    let (refusal, fields) = await gate.check("ann")
    #expect(refusal == 429 && fields.last?.value == "1")  // Retry-After
    let bob = await gate.check("bob")
    #expect(bob.refusal == nil && bob.fields.map(\.name) == ["RateLimit-Policy", "RateLimit"])
    clock.advance(by: .milliseconds(200))
    #expect(await gate.check("ann").refusal == nil)
  }
  // end
}
