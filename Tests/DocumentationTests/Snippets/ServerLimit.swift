import Pacing
import PacingHTTP
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
  @Test("a gate admits the burst, tells when to come again, and then admits one more")
  func gate() async {
    let (clock, user) = (ManualClock(), "ann")
    // snippet: recipe-limit-gate-use
    let quota = Quota(rate: .perSecond(5), burst: 10)
    let gate = UserGate(
      limiter: KeyedRateLimiter<String>(maximumKeys: 100_000, clock: clock) { _ in quota },
      writer: RateLimitWriter(.tokenBucket(quota).named("user")))
    let (refusal, fields) = await gate.check(user)
    // end
    #expect(refusal == nil && fields.map(\.name) == ["RateLimit-Policy", "RateLimit"])
    for _ in 2...10 { #expect(await gate.check(user).refusal == nil) }
    let refused = await gate.check(user)
    #expect(refused.refusal == 429 && refused.fields.last?.value == "1")
    #expect(await gate.check("bob").refusal == nil)
    clock.advance(by: .milliseconds(200))
    #expect(await gate.check(user).refusal == nil)
  }
}
