import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Limits: corrected by a server")
struct CorrectionTests {
  enum Part: CaseIterable {
    case bucket, fixed, sliding

    /// Ten in a hundred milliseconds.
    var limit: Limit {
      switch self {
      case .bucket: .tokenBucket(rate: .perSecond(100), burst: 10)
      case .fixed: .fixedWindow(10, per: .milliseconds(100))
      case .sliding: .slidingWindow(10, per: .milliseconds(100))
      }
    }
  }

  let clock = ManualClock()

  /// The first millisecond at which a token is there, of those that are looked at.
  private func firstToken(_ limit: some LimitingTool, within milliseconds: Int) -> Int? {
    (0...milliseconds).first { step in
      if step > 0 { clock.advance(by: .milliseconds(1)) }
      return limit.peek().isAllowed
    }
  }

  private func limiter(_ part: Part) -> RateLimiter { RateLimiter(part.limit, clock: clock) }

  @Test("what remains is lowered to the report, and never raised", arguments: Part.allCases)
  func lowers(part: Part) {
    let limiter = limiter(part)
    #expect(limiter.correct(remaining: 12) && limiter.available == 10)
    #expect(limiter.correct(remaining: 4) && limiter.available == 4)
    #expect(limiter.correct(remaining: 6) && limiter.available == 4)
    #expect(limiter.take(upTo: 9) == 4)
    limiter.penalize(3)
    #expect(limiter.correct(remaining: 0) && limiter.available == -3)
    #expect(limiter.correct(remaining: -5) && limiter.available == -3)
  }

  @Test(
    "if nothing remains the next token comes at the reset, sooner or later than the limit's own",
    arguments: Part.allCases, [20, 100, 250])
  func resets(part: Part, reset: Int) {
    let limiter = limiter(part)
    limiter.correct(remaining: 0, resetAfter: .milliseconds(reset))
    #expect(firstToken(limiter, within: 300) == (part == .fixed ? max(100, reset) : reset))
  }

  @Test("a later reset of the limit's own stays in force", arguments: Part.allCases)
  func staysLater(part: Part) {
    let limiter = limiter(part)
    limiter.penalize(15)
    limiter.correct(remaining: 0, resetAfter: .milliseconds(5))
    // A bucket owes five, and one more takes ten milliseconds; windows end after a hundred.
    #expect(firstToken(limiter, within: 200) == (part == .bucket ? 60 : 100))
  }

  @Test("a reset without a report that nothing remains changes nothing more")
  func someRemains() {
    let bucket = TokenBucket(rate: .perSecond(1), burst: 5, clock: clock)
    bucket.correct(remaining: 2, resetAfter: .seconds(60))
    #expect(bucket.tryAcquire(2) && !bucket.tryAcquire())
    clock.advance(by: .seconds(1))
    #expect(bucket.tryAcquire())
  }

  @Test("the other parts go on, and a name that the limit lacks changes nothing")
  func names() {
    let limiter = RateLimiter(
      .tokenBucket(rate: .perSecond(1), burst: 5).named(.requests),
      .slidingWindow(100, per: .seconds(60)).named(.tokens), clock: clock)
    #expect(limiter.correct(.tokens, remaining: 7))
    #expect(!limiter.correct("images", remaining: 0) && !limiter.correct(remaining: 0))
    #expect(limiter.available == 5)
    #expect(limiter.tryAcquire([.tokens: 7]) && !limiter.tryAcquire([.tokens: 1]))
    #expect(limiter.tryAcquire([.requests: 5]))
  }

  @Test("waiters keep their places, and are served from the reset on")
  func waiters() {
    let bucket = TokenBucket(rate: .perSecond(1), burst: 5, clock: clock)
    let served = EventRecorder<String>(clock: clock)
    #expect(bucket.drain() == 5)
    bucket.acquire { _ in served.record("a") }
    bucket.acquire { _ in served.record("b") }
    bucket.correct(remaining: 0, resetAfter: .seconds(30))
    clock.advance(by: .seconds(29))
    #expect(served.values.isEmpty && bucket.waitingCount == 2)
    clock.advance(by: .seconds(1))
    #expect(served.values == ["a"])
    clock.advance(by: .seconds(1))
    #expect(served.values == ["a", "b"] && clock.pendingCount == 0)
  }

  @Test("what has left a window is no part of what a report leaves")
  func afterAWindow() {
    let limiter = limiter(.sliding)
    #expect(limiter.tryAcquire(8))
    clock.advance(by: .milliseconds(150))
    limiter.correct(remaining: 5)
    #expect(limiter.available == 5)
  }

  @Test("a report of more than there is delays nothing")
  func aboveTheBalance() {
    let limiter = limiter(.sliding)
    #expect(limiter.tryAcquire())
    clock.advance(by: .milliseconds(50))
    limiter.correct(remaining: 9)
    #expect(limiter.peek(0).resetAfter == .milliseconds(50))
  }

  @Test("the wait behind a reset that is not on a window's grid ends at that reset")
  func besideTheGrid() {
    let limiter = RateLimiter(
      .fixedWindow(10, per: .milliseconds(100), fromCreation: true), clock: clock)
    limiter.correct(remaining: 0, resetAfter: .milliseconds(130))
    #expect(limiter.peek(10).retryAfter == .milliseconds(130))
    #expect(firstToken(limiter, within: 200) == 130)
  }

  @Test("the largest numbers and waits are corrections too", arguments: Part.allCases)
  func extremes(part: Part) {
    let limiter = limiter(part)
    for remaining in [Int.min, -1, 0, 1, Int.max] {
      for reset in [Duration.seconds(Int64.min), .seconds(-1), .zero, .seconds(Int64.max)] {
        #expect(limiter.correct(remaining: remaining, resetAfter: reset))
      }
    }
    clock.advance(by: .seconds(1_000_000_000))
    #expect(!limiter.tryAcquire())
    limiter.reset()
    #expect(limiter.tryAcquire(10))
  }
}
