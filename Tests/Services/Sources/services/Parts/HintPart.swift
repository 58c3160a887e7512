import AsyncHTTPClient
import Foundation
import Hummingbird
import Pacing
import PacingHTTP
import Synchronization

/// A client and a server that names its waits in every form; the server measures the spacing.
enum HintPart {
  /// A form, what the server sends, and the wait that the client makes of it.
  struct Form: Sendable {
    let name: String
    var status = HTTPResponse.Status.tooManyRequests
    /// The fields of a refusal at a time.
    let fields: @Sendable (Date) -> [String: String]
    let least: Duration
    /// Whether the wait is known exactly: it depends on no date.
    var isExact = true
  }

  static let backoff = Duration.milliseconds(200)
  static let longest = Duration.seconds(2)

  static let forms: [Form] = [
    Form(name: "seconds", fields: { _ in ["Retry-After": "1"] }, least: .seconds(1)),
    Form(
      name: "seconds-503", status: .serviceUnavailable, fields: { _ in ["Retry-After": "1"] },
      least: .seconds(1)),
    Form(
      name: "date", fields: { ["Retry-After": httpDate($0 + 1)] }, least: .seconds(1),
      isExact: false),
    Form(
      name: "draft",
      fields: { _ in ["RateLimit-Policy": "\"a\";q=10;w=60", "RateLimit": "\"a\";r=0;t=1"] },
      least: .seconds(1)),
    Form(
      name: "former-draft", fields: { _ in ["RateLimit": "limit=10, remaining=0, reset=1"] },
      least: .seconds(1)),
    Form(
      name: "older", fields: { _ in ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"] },
      least: .seconds(1)),
    Form(
      name: "instant",
      fields: {
        ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "\(Int($0.timeIntervalSince1970) + 1)"]
      }, least: .seconds(1), isExact: false),
    Form(
      name: "openai",
      fields: { _ in
        [
          "x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "0",
          "x-ratelimit-reset-requests": "1s", "x-ratelimit-limit-tokens": "150000",
          "x-ratelimit-remaining-tokens": "149984", "x-ratelimit-reset-tokens": "6m0s",
        ]
      }, least: .seconds(1)),
    Form(
      name: "anthropic",
      fields: {
        [
          "anthropic-ratelimit-requests-limit": "50",
          "anthropic-ratelimit-requests-remaining": "0",
          "anthropic-ratelimit-requests-reset": ($0 + 1).ISO8601Format(),
          "anthropic-ratelimit-tokens-limit": "80000",
          "anthropic-ratelimit-tokens-remaining": "79000",
          "anthropic-ratelimit-tokens-reset": ($0 + 3600).ISO8601Format(),
        ]
      }, least: .seconds(1), isExact: false),
    Form(name: "zero", fields: { _ in ["Retry-After": "0"] }, least: backoff),
    Form(name: "past", fields: { ["Retry-After": httpDate($0 - 60)] }, least: backoff),
    Form(name: "absurd", fields: { _ in ["Retry-After": "99999999"] }, least: longest),
    Form(name: "malformed", fields: { _ in ["Retry-After": "soon"] }, least: backoff),
    Form(name: "none", status: .serviceUnavailable, fields: { _ in [:] }, least: backoff),
  ]

  /// A date as HTTP writes it.
  static func httpDate(_ date: Date) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.string(from: date)
  }

  /// A server that refuses the first request of each form.
  static func router(_ arrivals: Instants) -> Router<BasicRequestContext> {
    let router = Router()
    router.get("hints/:form") { _, context in
      let name = try context.parameters.require("form")
      guard let form = forms.first(where: { $0.name == name }) else { throw HTTPError(.notFound) }
      guard arrivals.note(name) == 0 else { return Response(status: .ok) }
      var response = Response(status: form.status)
      for (name, value) in form.fields(Date()) { response.headers[.init(name)!] = value }
      return response
    }
    return router
  }

  /// A policy whose first wait is told to `noted`.
  static func policy(_ noted: @escaping @Sendable (Duration) -> Void) -> RetryPolicy {
    RetryPolicy(backoff: .constant(backoff), maximumAttempts: 3)
      .obeyingHints(atMost: longest)
      .afterAttempt { report in
        if let next = report.next { noted(next.delay) }
      }
  }

  /// Compares what the server saw, and the wait of the client, with the form.
  static func check(_ form: Form, _ arrivals: Instants, waited: [Duration]) throws {
    let gaps = arrivals.gaps(form.name)
    try demand(gaps.count == 1, "\(form.name): \(gaps.count + 1) requests")
    try demand(gaps[0] >= form.least, "\(form.name): again after \(gaps[0])")
    try demand(waited.count == 1, "\(form.name): \(waited.count) waits")
    let isRight = form.isExact ? waited[0] == form.least : waited[0] >= form.least
    try demand(isRight && waited[0] <= longest, "\(form.name): a wait of \(waited[0])")
  }

  /// Asks for each form at the same time, with a client that returns its last status.
  private static func check(
    with client: @escaping @Sendable (_ url: String, RetryPolicy) async throws -> Int
  ) async throws {
    let arrivals = Instants()
    try await withServer(router(arrivals)) { url in
      try await withThrowingTaskGroup { tasks in
        for form in forms {
          tasks.addTask {
            let waited = Mutex([Duration]())
            let policy = policy { delay in waited.withLock { $0.append(delay) } }
            let status = try await client("\(url)/hints/\(form.name)", policy)
            try demand(status == 200, "\(form.name): \(status)")
            try check(form, arrivals, waited: waited.withLock(\.self))
          }
        }
        try await tasks.waitForAll()
      }
    }
  }

  @Sendable static func spacing() async throws {
    try await check { url, policy in
      try await status(
        url, limiter: TokenBucket(rate: .perSecond(1000), burst: 10), policy: policy)
    }
  }

  @Sendable static func session() async throws {
    try await check { url, policy in
      try await sessionStatus(
        URL(string: url)!, limiter: TokenBucket(rate: .unlimited, burst: 1), policy: policy)!
    }
  }

  /// One caller is refused, and ten others wait with it.
  @Sendable static func together() async throws {
    let arrivals = Instants()
    let router = Router()
    router.get("together") { _, _ in
      guard arrivals.note("together") == 0 else { return Response(status: .ok) }
      return Response(status: .tooManyRequests, headers: [.retryAfter: "1"])
    }
    try await withServer(router) { url in
      let (refusals, refusal) = AsyncStream.makeStream(of: Void.self)
      let limiter = TokenBucket(rate: .perSecond(1000), burst: 20)
      let policy = policy { _ in refusal.yield() }
      let get = { @Sendable in
        _ = try await status(url + "/together", limiter: limiter, policy: policy)
      }
      try await withThrowingTaskGroup { tasks in
        tasks.addTask { try await get() }
        for await _ in refusals { break }
        for _ in 1...10 { tasks.addTask { try await get() } }
        try await tasks.waitForAll()
      }
      let instants = arrivals["together"]
      try demand(instants.count == 12, "\(instants.count) requests")
      let pause = instants[0].duration(to: instants[1])
      try demand(pause >= .seconds(1), "a request \(pause) after the refusal")
    }
  }

  /// The fields of two services, as they came over the wire.
  @Sendable static func services() async throws {
    try await withServer(router(Instants())) { url in
      let openAI = try await get(url + "/hints/openai")
      let fields = RateLimitFields { openAI[$0] }
      try demand(
        fields.limits == [
          ServiceLimit("requests", remaining: 0, resetAfter: .seconds(1)),
          ServiceLimit("tokens", remaining: 149_984, resetAfter: .seconds(360)),
        ], "\(fields.limits)")
      try demand(fields.pause() == .seconds(1), "a pause of \(fields.pause() ?? .zero)")
      let anthropic = try await get(url + "/hints/anthropic")
      let limits = RateLimitFields { anthropic[$0] }.limits
      try demand(limits.map(\.name) == ["requests", "tokens"], "\(limits)")
      try demand(limits.map(\.remaining) == [0, 79_000], "\(limits)")
      // The server's own date, which the reset counts from, is up to a second older.
      try demand(limits[0].resetAfter! >= .seconds(1), "\(limits)")
      try demand(limits[1].resetAfter! >= .seconds(3600), "\(limits)")
    }
  }
}
