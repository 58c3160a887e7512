import Pacing
import PacingTesting
import Testing

// snippet: first-code
/// Somebody types; when they pause, something is found.
final class Search: Sendable {
  private let typing: Debouncer<String>

  init(clock: any PacingClock = .dispatch, find: @escaping @Sendable (String) -> Void) {
    typing = Debouncer(for: .milliseconds(300), clock: clock, handler: find)
  }

  func type(_ text: String) { typing.send(text) }
}

/// Ten requests at once and five a second, for each user.
final class Endpoint: Sendable {
  private let limits: KeyedRateLimiter<String>

  init(clock: any PacingClock = .dispatch) {
    limits = KeyedRateLimiter(rate: .perSecond(5), burst: 10, maximumKeys: 100_000, clock: clock)
  }

  func status(for user: String) -> Int { limits.tryAcquire(for: user) ? 200 : 429 }
}
// end

// snippet: first-tests
@Test("finds once, when they pause")
func search() {
  let clock = ManualClock()
  let found = EventRecorder<String>(clock: clock)
  let search = Search(clock: clock, find: found.record)
  for text in ["s", "sw", "swift"] { search.type(text) }
  clock.advance(by: .milliseconds(299))
  #expect(found.values == [])
  clock.advance(by: .milliseconds(1))
  #expect(found.values == ["swift"])
}

@Test("answers ten requests of a user at once, and then five a second")
func endpoint() {
  let clock = ManualClock()
  let endpoint = Endpoint(clock: clock)
  for _ in 1...10 { #expect(endpoint.status(for: "ann") == 200) }
  #expect(endpoint.status(for: "ann") == 429)
  #expect(endpoint.status(for: "bob") == 200)  // has a limit of his own
  clock.advance(by: .milliseconds(200))
  #expect(endpoint.status(for: "ann") == 200)
}
// end
