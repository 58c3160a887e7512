import Pacing
import PacingHTTP
import PacingTesting
import Testing

@Suite("RateLimitWriter")
struct RateLimitWriterTests {
  static let limits: [Limit] = [
    .tokenBucket(rate: .perSecond(1), burst: 2).named("burst"),
    .slidingWindow(3, per: .seconds(60)),
    .fixedWindow(100, per: .seconds(3600)),
  ]

  static func lines(_ fields: [(name: String, value: String)]) -> [String] {
    RateLimitFieldsTests.lines(fields)
  }

  @Test("writes what RateLimitFields writes, for one limit")
  func one() {
    let clock = ManualClock()
    for limit in Self.limits {
      let limiter = RateLimiter(limit, clock: clock)
      let writer = RateLimitWriter(limit)
      for cost in [1, 1, 1, 1, 0, 200] {
        let decision = limiter.request(cost)
        let fields = writer.fields(for: decision)
        #expect(Self.lines(fields) == Self.lines(RateLimitFields(decision, under: limit).fields))
        clock.advance(by: .milliseconds(300))
      }
    }
  }

  @Test("if nothing remains, the reset is when a bucket has its next unit, in debt too")
  func nextUnit() {
    let clock = ManualClock()
    func text(_ decision: Decision, _ limit: Limit) -> String {
      RateLimitWriter(limit).fields(for: decision)[1].value
    }
    let slow = Limit.tokenBucket(rate: .every(.seconds(10)), burst: 2)
    let limiter = RateLimiter(slow, clock: clock)
    #expect(text(limiter.request(2), slow) == "\"default\";r=0;t=10")
    clock.advance(by: .seconds(15))
    #expect(text(limiter.request(), slow) == "\"default\";r=0;t=5")
    let fast = Limit.tokenBucket(rate: .perSecond(1), burst: 10)
    let lender = TokenBucket(rate: .perSecond(1), burst: 10, allowsOverdraft: true, clock: clock)
    #expect(text(lender.request(30), fast) == "\"default\";r=0;t=21")
    #expect(
      text(
        TokenBucket(rate: .none, burst: 1, clock: clock).request(),
        .tokenBucket(rate: .none, burst: 1)
      ).hasPrefix("\"default\";r=0"))
  }

  @Test("describes each of several limits, and of several waits the longest")
  func several() {
    let clock = ManualClock()
    let limiter = RateLimiter(Self.limits, clock: clock)
    let writer = RateLimitWriter(Self.limits)
    let answers = [2, 1, 1, 1, 4].map { cost in
      if cost == 1 { clock.advance(by: .seconds(1)) }
      let decisions = limiter.requestEach(Costs(cost))
      let fields = writer.fields(for: decisions)
      #expect(
        Self.lines(fields)
          == Self.lines(RateLimitFields(decisions, under: Self.limits).fields))
      return Self.lines(fields).dropFirst().joined(separator: " ")
    }
    #expect(
      writer.policy == #""burst";q=2;w=2, "default";q=3;w=60, "default-2";q=100;w=3600"#)
    #expect(
      answers == [
        #"RateLimit: "burst";r=0;t=1, "default";r=1;t=60, "default-2";r=98;t=3600"#,
        #"RateLimit: "burst";r=0;t=1, "default";r=0;t=60, "default-2";r=97;t=3599"#,
        // The window refuses; the others would not, and are not charged.
        #"RateLimit: "burst";r=1;t=1, "default";r=0;t=58, "default-2";r=97;t=3598 Retry-After: 58"#,
        #"RateLimit: "burst";r=2;t=0, "default";r=0;t=57, "default-2";r=97;t=3597 Retry-After: 57"#,
        // Never: no wait is written.
        #"RateLimit: "burst";r=2;t=0, "default";r=0;t=58, "default-2";r=97;t=3597"#,
      ])
  }

  @Test("an unnamed limit has no description of itself in its fields")
  func unnamed() {
    let limit = Limit.tokenBucket(rate: .perSecond(100), burst: 20)
    let fields = RateLimitFields(RateLimiter(limit, clock: ManualClock()).request(), under: limit)
    #expect(fields.policies.map(\.name) == ["default"] && fields.limits.map(\.name) == ["default"])
  }

  @Test("what all limits refuse together, each of them refuses")
  func common() {
    let clock = ManualClock()
    let limiter = RateLimiter(Self.limits, clock: clock)
    limiter.pause(for: .seconds(30))
    let decisions = limiter.requestEach()
    #expect(decisions.map(\.retryAfter) == [.seconds(30), .seconds(30), .seconds(30)])
    #expect(decisions.allSatisfy { !$0.isAllowed && $0.refusedBy == nil && $0.remaining == 0 })
    limiter.resume()
    #expect(limiter.requestEach(0).allSatisfy(\.isAllowed) && limiter.statistics.granted == 1)
  }
}
