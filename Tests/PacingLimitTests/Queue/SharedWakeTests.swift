import Pacing
import Testing

@testable import TestSupport

/// What waiters of a fast limit lose by sharing wakes: nothing.
@Suite("Limits: shared wakes")
struct SharedWakeTests {
  private static let start = PacingInstant(nanoseconds: 0)

  /// Callers that return after each grant, on a timer that is as late as it may be.
  private struct Callers<Limit: QueueState<Int>> {
    var limit: Limit
    var decided = DecidedRequests<Int>()
    private(set) var granted = 0
    private(set) var wakes = 0

    init(_ count: Int, at limit: Limit) {
      self.limit = limit
      for _ in 0..<count { enter(at: SharedWakeTests.start) }
    }

    private mutating func enter(at now: PacingInstant) {
      while case .decided = limit.enter(
        1, within: nil, mayAlwaysJoin: false, at: now, telling: &decided, { 0 })
      {
        granted += 1
      }
    }

    /// The wake for the first waiter, and those whose turn has come return.
    mutating func wake() -> PacingInstant {
      wakes += 1
      let now = limit.deadline + limit.tolerance
      limit.review(at: now, telling: &decided)
      for _ in decided.takeAll() {
        granted += 1
        enter(at: now)
      }
      return now
    }
  }

  static let forms: [@Sendable (Rate, Int) -> any QueueState<Int>] = [
    { BucketState(rate: $0, burst: $1, initial: 0, at: start) },
    { RateLimiterState([.tokenBucket(rate: $0, burst: $1, initial: 0)], at: start) },
  ]

  @Test(
    "every token is granted although wakes are late, and wakes are fewer",
    arguments: [0, 1], Soak.seeds(20))
  func losesNothing(form: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let period = Nanoseconds.random(in: 1_000...600_000, using: &random)
    let most = [2, 50, 2_000].randomElement(using: &random)!
    let burst = Int.random(in: 1...most, using: &random)
    let limit = Self.forms[form](Rate(1, per: .nanoseconds(period)), burst)
    check(limit, period: period, burst: burst, &random, seed)
  }

  private func check(
    _ limit: some QueueState<Int>, period: Nanoseconds, burst: Int, _ random: inout SplitMix64,
    _ seed: UInt64
  ) {
    #expect(limit.tolerance <= 1_000_000)
    let saved = limit.tolerance / period
    #expect(saved < burst, "seed \(seed)")
    var callers = Callers(Int.random(in: 1...20, using: &random), at: limit)
    for _ in 0..<200 {
      let now = callers.wake()
      #expect(callers.granted == Int(now.nanoseconds / period), "seed \(seed)")
    }
    #expect(callers.granted >= callers.wakes * Int(saved), "seed \(seed)")
  }

  @Test("a wake is shared only if tokens come fast, and a late grant may count from before")
  func exactWakes() {
    let fast = Rate.perSecond(100_000)
    func bucket(_ rate: Rate, burst: Int = 1_000, catchUp: Duration = .milliseconds(10))
      -> Nanoseconds
    {
      BucketState<Int>(
        rate: rate, burst: burst, queue: QueuePolicy(catchUp: catchUp), at: Self.start
      )
      .tolerance
    }
    func limiter(_ limits: Limit...) -> Nanoseconds {
      RateLimiterState<Int>(limits, at: Self.start).tolerance
    }
    #expect(bucket(fast) == 1_000_000)
    #expect(bucket(fast, burst: 81) == 100_000)
    #expect(bucket(fast, burst: 17) == 20_000)
    #expect(bucket(fast, burst: 16) == 0)
    #expect(bucket(fast, burst: 1) == 0)
    #expect(bucket(fast, catchUp: .zero) == 0)
    #expect(bucket(fast, catchUp: .milliseconds(1)) == 100_000)
    #expect(bucket(.perSecond(2_000)) == 1_000_000)
    #expect(bucket(.perSecond(1_999)) == 0)
    #expect(bucket(.none) == 0)
    #expect(bucket(.unlimited) == 0)
    #expect(limiter(.tokenBucket(rate: fast, burst: 1_000)) == 1_000_000)
    #expect(
      limiter(.tokenBucket(rate: fast, burst: 1_000), .tokenBucket(rate: fast, burst: 81))
        == 100_000)
    #expect(
      limiter(.tokenBucket(rate: fast, burst: 1_000), .slidingWindow(10, per: .seconds(1))) == 0)
  }

  @Test("the timer of a fast limit is set to the wake that its waiters share")
  func timer() {
    let clock = ForeignClock()
    let bucket = TokenBucket(rate: .perSecond(100_000), burst: 1_000, initial: 0, clock: clock)
    let waiting = bucket.acquire { _ in }
    #expect(clock.service.earliest > PacingInstant(nanoseconds: 10_000))
    #expect(clock.service.earliest <= PacingInstant(nanoseconds: 1_010_000))
    #expect(waiting.cancel())
  }
}
