import PacingHTTP
import Testing

@Suite("RateLimitFields: earlier drafts")
struct EarlierDraftTests {
  @Test(
    "reads policies without names",
    arguments: [
      ("100;w=60", [QuotaPolicy("", quota: 100, window: .seconds(60))]),
      (
        #"10;w=1;burst=1000;comment="sliding", 1000;w=3600"#,
        [
          QuotaPolicy("", quota: 10, window: .seconds(1)),
          QuotaPolicy("", quota: 1000, window: .seconds(3600)),
        ]
      ),
      (
        #"0;w=1, "hour";q=5"#,
        [QuotaPolicy("", quota: 0, window: .seconds(1)), QuotaPolicy("hour", quota: 5)]
      ),
    ])
  func policies(text: String, policies: [QuotaPolicy]) {
    #expect(RateLimitFieldsTests.read(["RateLimit-Policy": text]).policies == policies)
  }

  @Test("reads a policy together with the older fields")
  func together() {
    let read = RateLimitFieldsTests.read([
      "RateLimit-Policy": "100;w=60", "RateLimit-Limit": "100", "RateLimit-Remaining": "0",
      "RateLimit-Reset": "42",
    ])
    #expect(
      read
        == RateLimitFields(
          policies: [QuotaPolicy("", quota: 100, window: .seconds(60))],
          limits: [ServiceLimit("", remaining: 0, resetAfter: .seconds(42))]))
    #expect(read.pause() == .seconds(42))
    #expect(read.olderFields.map(\.value) == ["100", "0", "42"])
  }

  @Test(
    "a malformed policy hides no limit",
    arguments: ["", "100", "-100;w=60", "100;w=0", "100;w=x", "100;w=60,", "5;q=1;w=60", "1.5;w=6"])
  func malformed(text: String) {
    #expect(RateLimitFieldsTests.read(["RateLimit-Policy": text]).policies.isEmpty)
    let read = RateLimitFieldsTests.read([
      "RateLimit-Policy": text, "RateLimit-Limit": "100", "RateLimit-Remaining": "7",
      "x-ratelimit-limit-tokens": "9", "x-ratelimit-remaining-tokens": "8",
    ])
    #expect(read.policies == [QuotaPolicy("", quota: 100)])
    #expect(read.limits == [ServiceLimit("", remaining: 7)])
  }

  @Test("reads the previous draft's limit, unless a policy is more detailed")
  func previousDraft() {
    var answer = ["RateLimit": "limit=100, remaining=0, reset=5"]
    let limits = [ServiceLimit("", remaining: 0, resetAfter: .seconds(5))]
    var read = RateLimitFieldsTests.read(answer)
    #expect(read == RateLimitFields(policies: [QuotaPolicy("", quota: 100)], limits: limits))
    #expect(read.olderFields.map(\.value) == ["100", "0", "5"])
    answer["RateLimit-Policy"] = "100;w=60"
    read = RateLimitFieldsTests.read(answer)
    #expect(read.policies == [QuotaPolicy("", quota: 100, window: .seconds(60))])
    #expect(read.limits == limits)
    #expect(RateLimitFieldsTests.read(["RateLimit": "limit=-1, remaining=3"]).policies.isEmpty)
  }
}
