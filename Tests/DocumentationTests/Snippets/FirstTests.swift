import Pacing
import PacingTesting
import Testing

// snippet: first
@Test("searches once, when typing pauses")
func search() {
  let clock = ManualClock()
  let found = EventRecorder<String>(clock: clock)
  let search = Debouncer<String>(for: .milliseconds(300), clock: clock, handler: found.record)
  for text in ["s", "sw", "swift"] { search.send(text) }
  clock.advance(by: .milliseconds(300))
  #expect(found.values == ["swift"])
}
// end

// snippet: first-code
/// Allows each user ten requests at once, and five a second.
struct Endpoint: Sendable {
  private let limits: KeyedRateLimiter<String>

  init(clock: any Clock<Duration> = .dispatch) {
    limits = KeyedRateLimiter(rate: .perSecond(5), burst: 10, maximumKeys: 100_000, clock: clock)
  }

  func status(for user: String) -> Int { limits.tryAcquire(for: user) ? 200 : 429 }
}
// end

// snippet: first-tests
@Test("answers ten requests of a user at once, and then five a second")
func endpoint() {
  let clock = ManualClock()
  let endpoint = Endpoint(clock: clock)
  for _ in 1...10 { #expect(endpoint.status(for: "ann") == 200) }
  #expect(endpoint.status(for: "ann") == 429)
  #expect(endpoint.status(for: "bob") == 200)  // has a separate limit
  clock.advance(by: .milliseconds(200))
  #expect(endpoint.status(for: "ann") == 200)
}
// end
