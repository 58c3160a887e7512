import Pacing
import PacingHTTP
import PacingTesting
import Testing

@Suite("RateLimitFields: services")
struct ServiceFieldTests {
  @Test(
    "reads spans and timestamps, as services write them",
    arguments: [
      ("6m0s", 360), ("1s", 1), ("20ms", 1), ("1h2m3.5s", 3724), ("24h", 86_400), ("120µs", 1),
      ("1m30.000s", 90), ("2023-11-14T22:13:50Z", 30), ("2023-11-14T23:13:49.5+01:00", 30),
      ("2023-11-14t21:13:50-01:00", 30), ("2023-11-14 22:13:20Z", 0),
    ])
  func otherWaits(text: String, seconds: Int) {
    let read = RateLimitFieldsTests.read(
      ["x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": text],
      at: .seconds(1_700_000_000))
    #expect(read.olderFields.last?.value == "\(seconds)")
  }

  @Test("reads the fields of services that count requests and tokens apart")
  func services() {
    let first = RateLimitFieldsTests.read([
      "x-ratelimit-limit-requests": "60", "x-ratelimit-limit-tokens": "150000",
      "x-ratelimit-remaining-requests": "59", "x-ratelimit-remaining-tokens": "0",
      "x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "6m0s",
    ])
    #expect(
      first
        == RateLimitFields(
          policies: [
            QuotaPolicy("requests", quota: 60),
            QuotaPolicy("tokens", quota: 150_000, unit: "tokens"),
          ],
          limits: [
            ServiceLimit("requests", remaining: 59, resetAfter: .seconds(1)),
            ServiceLimit("tokens", remaining: 0, resetAfter: .seconds(360)),
          ]))
    #expect(first.pause() == .seconds(360))
    let second = RateLimitFieldsTests.read([
      "Date": "Tue, 14 Nov 2023 22:13:20 GMT",
      "anthropic-ratelimit-requests-limit": "50", "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": "2023-11-14T22:13:50Z",
      "anthropic-ratelimit-input-tokens-limit": "40000",
      "anthropic-ratelimit-input-tokens-remaining": "1000",
      "anthropic-ratelimit-input-tokens-reset": "2023-11-14T22:14:20Z",
    ])
    #expect(second.policies.map(\.name) == ["requests", "input-tokens"])
    #expect(
      second.limits == [
        ServiceLimit("requests", remaining: 0, resetAfter: .seconds(30)),
        ServiceLimit("input-tokens", remaining: 1000, resetAfter: .seconds(60)),
      ])
    #expect(second.pause() == .seconds(30))
  }

  @Test("a limit is corrected by the fields of its name; the server's only limit needs none")
  func corrections() {
    let clock = ManualClock()
    let model = RateLimiter(
      .tokenBucket(rate: .perMinute(60), burst: 60).named(.requests),
      .tokenBucket(rate: .perMinute(6000), burst: 6000).named(.tokens), clock: clock)
    model.correct(
      by: RateLimitFieldsTests.read([
        "x-ratelimit-remaining-requests": "59", "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "30s", "x-ratelimit-remaining-images": "0",
      ]))
    #expect(model.requestEach(0).map(\.remaining) == [59, 0])
    clock.advance(by: .seconds(29))
    #expect(!model.tryAcquire([.tokens: 1]) && model.tryAcquire([.requests: 59]))
    clock.advance(by: .seconds(1))
    #expect(model.tryAcquire([.tokens: 1]))

    let bucket = TokenBucket(rate: .perMinute(60), burst: 60, clock: clock)
    bucket.correct(by: RateLimitFieldsTests.read(["RateLimit": #""default";r=7;t=20"#]))
    #expect(bucket.available == 7)
    bucket.correct(by: RateLimitFieldsTests.read(["X-RateLimit-Remaining": "3"]))
    #expect(bucket.available == 3)
    bucket.correct(by: RateLimitFieldsTests.read(["RateLimit": #""a";r=1, "b";r=2"#]))
    #expect(bucket.available == 3)
    model.correct(by: RateLimitFieldsTests.read(["X-RateLimit-Remaining": "0"]))
    #expect(model.tryAcquire([.tokens: 0]))
  }
}
