import Hummingbird
import HummingbirdTesting
import Pacing
import PacingTesting
import Testing

@testable import services

@Suite("A server's limit, on virtual time")
struct ServerLimitTests {
  @Test("admits the burst, then what comes at the rate")
  func limit() async throws {
    let clock = ManualClock()
    let (router, _) = limitedRouter(Quota(rate: .perSecond(2), burst: 3), clock: clock)
    router.get("work") { _, _ in "done" }
    try await Application(router: router).test(.router) { client in
      var statuses = [Int]()
      for wait in [0, 0, 0, 0, 499_999_999, 1] {
        clock.advance(by: .nanoseconds(wait))
        try await client.execute(uri: "/work", method: .get, headers: [.user: "ann"]) { response in
          statuses.append(response.status.code)
        }
      }
      #expect(statuses == [200, 200, 200, 429, 429, 200])
    }
  }

  @Test("tells each response what is left, and a refusal when to come again")
  func fields() async throws {
    let clock = ManualClock()
    let (router, _) = limitedRouter(Quota(rate: .perSecond(2), burst: 1), clock: clock)
    router.get("work") { _, _ in "done" }
    try await Application(router: router).test(.router) { client in
      for expected in [nil, "1"] {
        try await client.execute(uri: "/work", method: .get, headers: [.user: "ann"]) { response in
          #expect(response.headers[.init("RateLimit-Policy")!] == #""user";q=1;w=1"#)
          #expect(response.headers[.init("RateLimit")!] == #""user";r=0;t=1"#)
          #expect(response.headers[.retryAfter] == expected)
        }
      }
      try await client.execute(uri: "/work", method: .get) { #expect($0.status == .unauthorized) }
    }
  }
}
