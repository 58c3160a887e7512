import Pacing
import Testing

@Suite("Performance.md")
struct PerformanceSnippets {
  @Test("a limit on the coarse clock")
  func coarse() {
    // snippet: performance-coarse
    let bucket = TokenBucket(rate: .perSecond(100_000), burst: 2_000, clock: .coarse)
    // end
    #expect(bucket.tryAcquire(2_000))
  }
}
