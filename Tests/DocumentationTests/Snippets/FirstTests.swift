import Observation
import Pacing
import PacingHTTP
import PacingTesting
import Testing

// snippet: first
/// Searches once typing pauses; a newer query cancels an older search.
@MainActor @Observable
final class SearchField {
  var query = "" { didSet { typing.send(query) } }
  private(set) var hits = [String]()
  private let typing: Debouncer<String>

  init(clock: any Clock<Duration> = .dispatch, find: @escaping @Sendable (String) async -> [String])
  {
    typing = Debouncer(for: .milliseconds(300), clock: clock)
    typing.handle(with: self, on: .main, overlap: .cancelPrevious) { field, query in
      let hits = await find(query)
      if !Task.isCancelled { field.hits = hits }
    }
  }
}
// end

// snippet: first-test
@Test("searches once, when typing pauses") @MainActor
func search() async {
  let clock = ManualClock()
  let field = SearchField(clock: clock) { query in ["\(query)!"] }
  for text in ["s", "sw", "swift"] { field.query = text }
  clock.advance(by: .milliseconds(300))
  await clock.settle()
  #expect(field.hits == ["swift!"])
}
// end

@Suite("The first page")
struct FirstPage {
  @Test("a limit for each user")
  func limit() {
    // snippet: first-limit
    let limits = KeyedRateLimiter<String>(rate: .perSecond(5), burst: 10, maximumKeys: 100_000)
    func status(for user: String) -> Int { limits.tryAcquire(for: user) ? 200 : 429 }
    // end
    for _ in 1...10 { #expect(status(for: "ann") == 200) }
    #expect(status(for: "bob") == 200)
  }

  @Test("a polite client")
  func client() async throws {
    struct Response {
      let isBusy = false
      let headers: [String: String]
    }
    /// Refuses nothing, but has nothing left afterwards.
    func send(_ path: String) async throws -> Response {
      Response(headers: ["Path": path, "RateLimit": #""default";r=0;t=3600"#])
    }
    // snippet: first-client
    let limit = TokenBucket(rate: .perSecond(10), burst: 10)
    let policy = RetryPolicy(backoff: .exponential(from: .seconds(1)).jittered(.full))
    let page = try await retry(policy.limited(by: limit), judging: { $0.isBusy ? .retry : nil }) {
      let response = try await send("/page")
      let fields = RateLimitFields { response.headers[$0] }  // Retry-After, RateLimit and others
      if let pause = fields.pause() { limit.pause(for: pause) }
      return response
    }
    // end
    // It waits for nothing here: the recipe of an API client tests refusals on virtual time.
    #expect(page.headers["Path"] == "/page" && limit.available == 9)
    #expect(try #require(limit.peek().retryAfter) > .seconds(20))
  }
}
