import Pacing
import PacingHTTP
import PacingTesting
import Testing

@Suite("RateLimitFields")
struct RateLimitFieldsTests {
  static func read(_ answer: [String: String], at date: Duration? = nil) -> RateLimitFields {
    RateLimitFields(at: date) { answer[$0] }
  }

  static func lines(_ fields: [(name: String, value: String)]) -> [String] {
    fields.map { "\($0.name): \($0.value)" }
  }

  @Test("writes the fields of the current draft")
  func writes() {
    let fields = RateLimitFields(
      policies: [
        QuotaPolicy("burst", quota: 100, window: .seconds(60)),
        QuotaPolicy(
          "peruser", quota: 65_535, window: .milliseconds(9_001), unit: "content-bytes",
          partitionKey: Array("user 7".utf8)),
      ],
      limits: [
        ServiceLimit("burst", remaining: 0, resetAfter: .nanoseconds(1)),
        ServiceLimit("peruser", remaining: 50, partitionKey: Array("user 7".utf8)),
      ],
      retryAfter: .milliseconds(29_500))
    #expect(
      Self.lines(fields.fields) == [
        #"RateLimit-Policy: "burst";q=100;w=60, "#
          + #""peruser";q=65535;qu="content-bytes";w=10;pk=:dXNlciA3:"#,
        #"RateLimit: "burst";r=0;t=1, "peruser";r=50;pk=:dXNlciA3:"#,
        "Retry-After: 30",
      ])
    #expect(
      Self.lines(fields.olderFields) == [
        "X-RateLimit-Limit: 100", "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1",
        "Retry-After: 30",
      ])
    #expect(RateLimitFields().fields.isEmpty && RateLimitFields().olderFields.isEmpty)
  }

  @Test("reads what it writes")
  func roundTrip() {
    let fields = RateLimitFields(
      policies: [QuotaPolicy("a \"b\" \\", quota: 7, window: .seconds(1), partitionKey: [0, 255])],
      limits: [ServiceLimit("a \"b\" \\", remaining: 3, resetAfter: .seconds(4), partitionKey: [])],
      retryAfter: .seconds(5))
    let answer = Dictionary(uniqueKeysWithValues: fields.fields.map { ($0.name, $0.value) })
    #expect(Self.read(answer) == fields)
  }

  @Test("a name cannot begin a field of its own, and no number leaves the range of a field")
  func hostileNames() {
    let fields = RateLimitFields(
      policies: [QuotaPolicy("x\r\nSet-Cookie: ü", quota: .max, window: .seconds(-5))],
      limits: [ServiceLimit("\u{7f}", remaining: -4, resetAfter: .seconds(Int64.max))],
      retryAfter: .seconds(-1))
    #expect(
      Self.lines(fields.fields) == [
        #"RateLimit-Policy: "x_Set-Cookie: _";q=999999999999999;w=1"#.replacing("x_", with: "x__"),
        #"RateLimit: "_";r=0;t=999999999999999"#,
        "Retry-After: 0",
      ])
  }

  @Test(
    "reads the examples of the draft",
    arguments: [
      (#""default";r=50;t=30"#, [ServiceLimit("default", remaining: 50, resetAfter: .seconds(30))]),
      (
        #""default";r=999;pk=:dHJpYWwxMjEzMjM=:"#,
        [ServiceLimit("default", remaining: 999, partitionKey: Array("trial121323".utf8))]
      ),
      (
        #" "day";r=1;t=7;acme-note="x, y";at=@5;ok;no=?0;f=1.5;d=%"z" ,\#t"hour";r=0 "#,
        [
          ServiceLimit("day", remaining: 1, resetAfter: .seconds(7)),
          ServiceLimit("hour", remaining: 0),
        ]
      ),
      (#"default;r=5"#, [ServiceLimit("default", remaining: 5)]),
      (
        "limit=100, remaining=50, reset=5",
        [ServiceLimit("", remaining: 50, resetAfter: .seconds(5))]
      ),
      ("limit=100, remaining=50", [ServiceLimit("", remaining: 50)]),
    ])
  func examples(text: String, limits: [ServiceLimit]) {
    #expect(Self.read(["RateLimit": text]).limits == limits)
  }

  @Test(
    "ignores a field that is malformed",
    arguments: [
      "", " ", ",", #""a""#, #""a";r"#, #""a";r=-1"#, #""a";r=1.5"#, #""a";r="1""#, #""a";r=1,"#,
      #""a";r=1 "b";r=2"#, #"("a" "b");r=1"#, #""a;r=1"#, #""a";R=1"#, "5;r=1",
      #""a";r=1;pk="k""#, #""a";r=1;pk=:!:"#, #""a";r=1;pk=:aa"#, #""a";r=1234567890123456"#,
      #""ä";r=1"#, #""a\n";r=1"#, #""a";r=1;t=-"#, #""a";r=1;x=?2"#, #""a";r=1;x=@1.5"#,
      "remaining=x", "remaining=-1",
    ])
  func malformed(text: String) {
    #expect(Self.read(["RateLimit": text]) == RateLimitFields())
    let policy = text.replacing("r=", with: "q=")
    #expect(Self.read(["RateLimit-Policy": policy]) == RateLimitFields())
  }

  @Test("ignores an item whose times are none")
  func malformedTimes() {
    for time in ["x", "-1", "1.0", "\"1\"", "?1"] {
      #expect(Self.read(["RateLimit": "\"a\";r=1;t=\(time)"]) == RateLimitFields())
    }
    for time in ["x", "-1", "1.0", "0"] {
      #expect(Self.read(["RateLimit-Policy": "\"a\";q=1;w=\(time)"]) == RateLimitFields())
    }
  }

  @Test("reads Retry-After in seconds and as a date, whose instant counts from the answer's Date")
  func retryAfter() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(Self.read(["Retry-After": " 120 "]).retryAfter == .seconds(120))
    #expect(Self.read(["Retry-After": "1.5"]).retryAfter == .seconds(2))
    for seconds in [1_000_000_000, 2_147_483_647, 100_000_000_000] {
      #expect(Self.read(["Retry-After": "\(seconds)"]).retryAfter == .seconds(seconds))
    }
    #expect(Self.read(["Retry-After": date]).retryAfter == nil)
    let now = Duration.seconds(784_111_777)
    #expect(Self.read(["Retry-After": date], at: now - .seconds(8)).retryAfter == .seconds(8))
    #expect(Self.read(["Retry-After": date], at: now + .seconds(8)).retryAfter == .zero)
    let answer = ["Retry-After": date, "Date": "Sun, 06 Nov 1994 08:49:30 GMT"]
    #expect(Self.read(answer, at: .zero).retryAfter == .seconds(7))
  }

  @Test(
    "reads the three forms of a date",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:03 GMT", 3),
      ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
      ("Thursday, 01-Jan-69 00:00:00 GMT", 3_124_224_000),
    ])
  func dates(text: String, seconds: Int) {
    let read = Self.read(["Retry-After": text], at: .seconds(seconds - 3))
    #expect(read.retryAfter == .seconds(3))
  }

  @Test(
    "ignores what is neither a number nor a date",
    arguments: [
      "soon", "-5", "+5", "1e3", "0x10", "٣", "1.", ".5", "1234567890123456", "Sun, 06 Nov 1994",
      "Sun, 30 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 0٣ Nov 1994 08:49:37 GMT", "Xyz Nov 6 08:49:37 1994",
      "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 29 Feb 2023 08:49:37 GMT", "Sun Nov 6 08:49:37 94",
      "Sunxyz-06 Nov,1994 08:49:37 GMT", "Sun,06,Nov,1994,08:49:37,GMT",
      "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
      "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT+1",
      "Sun, 06 Nov 94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
      "Sun Nov-06 08:49:37-1994", "sun, 06 nov 1994 08:49:37 gmt",
      "6m 0", "m6", "6x", "1h2", "6m-1s", "999999999999999h", "1e3s",
      "2026-13-01T00:00:00Z", "2026-01-32T00:00:00Z", "2026-01-01T00:00:00",
      "2026-01-01T00:00:00+1:00", "2026-01-01T24:00:00Z", "26-01-01T00:00:00Z",
    ])
  func malformedWaits(text: String) {
    #expect(Self.read(["Retry-After": text], at: .zero).retryAfter == nil)
  }

  @Test(
    "reads the older fields, whose reset may be a time span, an instant, or a date",
    arguments: ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"],
    ["30", "29.5", "1700000030", "1700000030000", "Tue, 14 Nov 2023 22:13:50 GMT"])
  func olderFields(prefix: String, reset: String) {
    let answer = [
      prefix + "Limit": "100, 100;w=60", prefix + "Remaining": "0.0", prefix + "Reset": reset,
    ]
    let read = Self.read(answer, at: .seconds(1_700_000_000))
    #expect(read.policies == [QuotaPolicy("", quota: 100)])
    #expect(read.limits == [ServiceLimit("", remaining: 0, resetAfter: .seconds(30))])
    #expect(read.pause() == .seconds(30))
  }

  @Test("pauses for what Retry-After says, else for the limits that have nothing left")
  func pauses() {
    var answer = ["RateLimit": #""minute";r=0;t=30, "day";r=0;t=90, "other";r=1;t=900"#]
    #expect(Self.read(answer).pause() == .seconds(90))
    answer["Retry-After"] = "5"
    #expect(Self.read(answer).pause() == .seconds(5))
    #expect(Self.read(["RateLimit": #""minute";r=1;t=30"#]).pause() == nil)
    #expect(Self.read([:]).pause() == nil)
    #expect(Self.read(["Retry-After": "0"]).pause() == .zero)
  }

  @Test("believes in no wait that is longer than it is told to")
  func longestPause() {
    let hostile = Self.read(["RateLimit": #""a";r=0;t=999999999999999"#])
    #expect(hostile.pause() == .seconds(86_400))
    #expect(hostile.pause(atMost: .seconds(60)) == .seconds(60))
    #expect(hostile.pause(atMost: .seconds(-1)) == .zero)
  }

  @Test("writes a decision under its limit, and a client who obeys it is served")
  func decisions() {
    let clock = ManualClock()
    let limit = Limit.tokenBucket(rate: .perMinute(30), burst: 3).named("user")
    let limiter = RateLimiter(limit, clock: clock)
    let answers = (0..<4).map { _ in RateLimitFields(limiter.request(), under: limit) }
    #expect(
      answers.map { Self.lines($0.fields).dropFirst().joined(separator: " ") } == [
        #"RateLimit: "user";r=2;t=2"#, #"RateLimit: "user";r=1;t=4"#, #"RateLimit: "user";r=0;t=2"#,
        #"RateLimit: "user";r=0;t=2 Retry-After: 2"#,
      ])
    #expect(Self.lines(answers[0].fields)[0] == #"RateLimit-Policy: "user";q=3;w=6"#)
    for answer in answers.suffix(2) {
      let fields = Dictionary(uniqueKeysWithValues: answer.fields.map { ($0.name, $0.value) })
      #expect(Self.read(fields).pause() == .seconds(2))
    }
    clock.advance(by: .seconds(2))
    #expect(limiter.tryAcquire())
    let never = RateLimitFields(limiter.request(4), under: limit)
    #expect(never.retryAfter == nil && never.limits[0].resetAfter == .seconds(6))
  }

  @Test("writes windows as they are, and rates without an end without a window")
  func decisionsOfWindows() {
    let clock = ManualClock()
    let window = Limit.slidingWindow(2, per: .seconds(60))
    let limiter = RateLimiter(window, clock: clock)
    _ = limiter.tryAcquire()
    clock.advance(by: .seconds(10))
    let last = RateLimitFields(limiter.request(), under: window)
    #expect(
      Self.lines(last.fields) == [
        #"RateLimit-Policy: "default";q=2;w=60"#,
        #"RateLimit: "default";r=0;t=60"#,
      ])
    #expect(RateLimitFields(limiter.request(), under: window).pause() == .seconds(50))
    for rate in [Rate.unlimited, .none] {
      let limit = Limit.tokenBucket(rate: rate, burst: 2)
      let decision = RateLimiter(limit, clock: clock).request()
      #expect(RateLimitFields(decision, under: limit).policies[0].window == nil)
    }
  }
}
