import AsyncHTTPClient
import Pacing
import PacingTesting
import Testing

@testable import services

@Suite("An API's client, on virtual time")
struct APIClientTests {
  // snippet: recipe-tests-client
  @Test("comes again when the server says, and keeps to the limit")
  func hints() async throws {
    let clock = ManualClock(step: .milliseconds(500))
    let sent = EventRecorder<Character>(clock: clock)
    let client = APIClient(
      limiter: TokenBucket(rate: .perSecond(1), burst: 1, clock: clock),
      policy: RetryPolicy(backoff: .constant(.milliseconds(500))), clock: clock
    ) { request in
      sent.record(request.url.last!)
      return sent.values.count == 1
        ? HTTPClientResponse(status: .tooManyRequests, headers: ["Retry-After": "3"])
        : HTTPClientResponse(status: .ok)
    }
    let pages = ["a", "b"].map { page in clock.run { try await client.get(page) } }
    clock.advance(by: .seconds(4))
    #expect(sent.marbles == "a-----b-a")  // b was in the queue before a came again
    for page in pages { #expect(try await page.value.status == .ok) }
  }
  // end
}
