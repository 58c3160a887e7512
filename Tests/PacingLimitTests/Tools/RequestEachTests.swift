import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("RateLimiter: an answer of each limit")
struct RequestEachTests {
  let clock = ManualClock()

  private func limiter() -> RateLimiter {
    RateLimiter(
      .tokenBucket(rate: .perSecond(1), burst: 1).named("a"),
      .slidingWindow(100, per: .seconds(60)).named("b"), clock: clock)
  }

  @Test("the limits that would allow the cost report so, unless something holds all of them up")
  func ownRefusals() {
    let limiter = limiter()
    #expect(limiter.requestEach().allSatisfy { $0.isAllowed })
    let answers = limiter.requestEach()
    #expect(answers.map(\.isAllowed) == [false, true])
    #expect(answers.map(\.retryAfter) == [.seconds(1), .zero])
    #expect(answers.map(\.refusedBy) == ["a", nil] && answers.map(\.remaining) == [0, 99])
  }

  @Test("a pause holds all limits up, though one of them is exhausted by itself")
  func pause() {
    let limiter = limiter()
    #expect(limiter.tryAcquire())
    limiter.pause(for: .seconds(30))
    #expect(limiter.request().retryAfter == .seconds(30))
    let answers = limiter.requestEach()
    #expect(answers.map(\.retryAfter) == [.seconds(30), .seconds(30)])
    #expect(answers.allSatisfy { !$0.isAllowed && $0.remaining == 0 && $0.refusedBy == nil })
    limiter.resume()
    limiter.pause(for: .milliseconds(500))
    let later = limiter.requestEach()
    #expect(later.map(\.retryAfter) == [.seconds(1), .milliseconds(500)])
    #expect(later.map(\.refusedBy) == ["a", nil])
  }

  @Test("a part that refuses is named, although waiters hold another up as long")
  func tie() {
    let a = Limit.tokenBucket(rate: .perSecond(100), burst: 100).named("a")
    let b = Limit.fixedWindow(3, per: .seconds(1)).named("b")
    for limits in [[a, b], [b, a]] {
      let limiter = RateLimiter(limits, clock: clock)
      #expect(limiter.tryAcquire(3))
      let waiter = limiter.acquire(["b": 1]) { _ in }
      #expect(limiter.request().refusedBy == "b" && waiter.cancel())
    }
  }

  @Test("waiters hold all limits up")
  func waiters() {
    let limiter = limiter()
    #expect(limiter.tryAcquire())
    for _ in 0..<5 { limiter.acquire { _ in } }
    #expect(limiter.request().retryAfter == .seconds(6))
    let answers = limiter.requestEach()
    #expect(answers.map(\.retryAfter) == [.seconds(6), .seconds(5)])
    #expect(answers.allSatisfy { !$0.isAllowed && $0.remaining == 0 })
  }

  @Test("a limiter that is closed refuses for each limit, and for ever")
  func closed() {
    let limiter = limiter()
    #expect(limiter.tryAcquire())
    limiter.close()
    #expect(limiter.requestEach().allSatisfy { !$0.isAllowed && $0.retryAfter == nil })
  }

  @Test("the longest wait is that of one request for all of them", arguments: Soak.seeds(30))
  func longestWait(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let limiter = RateLimiter(
      .tokenBucket(rate: Rate(3, per: .milliseconds(700)), burst: 3).named("bucket"),
      .slidingWindow(5, per: .seconds(2)).named("sliding"),
      .fixedWindow(4, per: .seconds(1)).named("fixed"), clock: clock)
    for step in 0..<200 {
      let cost = Int.random(in: 0...4, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: limiter.pause(for: .milliseconds(Int.random(in: 0...3000, using: &random)))
      case 1: limiter.acquire(Costs(min(cost, 3))) { _ in }
      case 2: limiter.resume()
      case 3, 4: clock.advance(by: .milliseconds(Int.random(in: 0...900, using: &random)))
      default:
        let whole = limiter.peek(cost)
        let answers = limiter.requestEach(Costs(cost))
        #expect(answers.allSatisfy(\.isAllowed) == whole.isAllowed, "seed \(seed), step \(step)")
        guard !whole.isAllowed else { continue }
        let isNever = answers.contains { $0.retryAfter == nil }
        #expect(
          (isNever ? nil : answers.compactMap(\.retryAfter).max()) == whole.retryAfter,
          "seed \(seed), step \(step)")
        #expect(
          answers.map(\.resetAfter).max() == whole.resetAfter, "seed \(seed), step \(step)")
      }
    }
  }
}
