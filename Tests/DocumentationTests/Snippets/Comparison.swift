import Pacing
import PacingTesting
import Testing

@Suite("Comparison.md")
struct ComparisonSnippets {
  @Test("lines for users of another library")
  func lines() async throws {
    let scrolls = AsyncStream<Int> { $0.finish() }
    let rows = AsyncStream<Int> { $0.finish() }
    let user = 1
    let clock = ManualClock()
    @Sendable func search(_ text: String) {}
    func refuse(_ user: Int) {}
    func fetch() async throws -> String { "page" }
    // snippet: comparison-lines
    // lodash: debounce(find, 300, { maxWait: 1000 })
    let find = Debouncer<String>(for: .milliseconds(300), maximumWait: .seconds(1)) { text in
      search(text)
    }
    // rxjs: scrolls.pipe(throttleTime(100, undefined, { leading: true, trailing: true }))
    let positions = scrolls.throttled(every: .milliseconds(100))
    // swift-async-algorithms: rows.chunks(ofCount: 500, or: .repeating(every: .seconds(1)))
    let chunks = rows.batched(maximumCount: 500, maximumDelay: .seconds(1))
    // Go: limiter := rate.NewLimiter(10, 5); limiter.Wait(ctx)
    let limiter = TokenBucket(rate: .perSecond(10), burst: 5)
    try await limiter.acquire()
    // governor: RateLimiter::keyed(Quota::per_second(10)); limiter.check_key(&user)
    let users = KeyedRateLimiter<Int>(rate: .perSecond(10), burst: 10, maximumKeys: 100_000)
    if !users.tryAcquire(for: user) { refuse(user) }
    // tokio: timeout(Duration::from_secs(5), fetch()).await
    let page = try await withTimeout(.seconds(5), clock: clock) { try await fetch() }
    // end
    #expect(!find.isPending && page == "page")
    _ = (positions, chunks)
  }
}
