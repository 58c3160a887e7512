import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Costs")
struct CostsTests {
  let clock = ManualClock()

  private func model() -> RateLimiter {
    RateLimiter(
      .slidingWindow(3, per: .seconds(60)).named(.requests),
      .tokenBucket(rate: .perSecond(10), burst: 100).named(.tokens),
      .fixedWindow(150, per: .seconds(86_400)).named(.tokens), clock: clock)
  }

  private func remaining(_ limiter: RateLimiter) -> [Int] {
    limiter.requestEach(0).map(\.remaining)
  }

  // MARK: What is charged

  @Test("a cost by name is charged to each part of that name, and to no other")
  func byName() {
    let limiter = model()
    #expect(limiter.tryAcquire([.requests: 1, .tokens: 60]))
    #expect(remaining(limiter) == [2, 40, 90])
    #expect(limiter.tryAcquire([.tokens: 30]))
    #expect(remaining(limiter) == [2, 10, 60])
    #expect(limiter.request([.requests: 2]).isAllowed)
    #expect(remaining(limiter) == [0, 10, 60])
  }

  @Test("costs are equal in any order of their names, and one number is no name's")
  func equality() {
    let costs: Costs = [.requests: 1, .tokens: 2]
    #expect(costs == [.tokens: 2, .requests: 1] && costs == Costs([.tokens: 2, .requests: 1]))
    #expect(costs != [.requests: 2, .tokens: 1] && costs != [.requests: 1] && [:] != costs)
    #expect(Costs(0) != [:] && costs != [.tokens: 2] && costs != 2 && costs != 1)
    #expect(Costs([.tokens: 2]) != 2 && Costs([.tokens: 2]) != 1 && Costs(2) != 1 && Costs(2) == 2)
  }

  @Test("one number is charged to each part, named or not")
  func each() {
    let limiter = RateLimiter(
      .slidingWindow(3, per: .seconds(1)), .tokenBucket(rate: .perSecond(1), burst: 5).named("a"),
      clock: clock)
    #expect(limiter.tryAcquire(2))
    #expect(remaining(limiter) == [1, 3])
    #expect(limiter.tryAcquire(Costs(1)))
    #expect(remaining(limiter) == [0, 2])
  }

  @Test("a part without a name costs nothing in a cost by name")
  func unnamed() {
    let limiter = RateLimiter(
      .slidingWindow(1, per: .seconds(1)), .tokenBucket(rate: .perSecond(1), burst: 5).named("a"),
      clock: clock)
    #expect(limiter.tryAcquire(["a": 2]) && limiter.tryAcquire(["a": 3]))
    #expect(remaining(limiter) == [1, 0])
  }

  @Test("a part in debt delays no call that it costs nothing, behind a waiter or in a pause")
  func partInDebt() {
    let limiter = RateLimiter(
      .tokenBucket(rate: .perSecond(1), burst: 1).named("a"),
      .tokenBucket(rate: .every(.milliseconds(10)), burst: 1).named("b"), clock: clock)
    limiter.penalize(["a": 5])
    #expect(limiter.tryAcquire(["b": 1]))
    let waiter = limiter.acquire(["b": 1]) { _ in }
    #expect(limiter.peek(["b": 1]).retryAfter == .milliseconds(20))
    waiter.cancel()
    limiter.pause(for: .milliseconds(10))
    let decision = limiter.peek(["b": 1])
    #expect(decision.retryAfter == .milliseconds(10))
    // What comes by the end of the pause is not what refuses.
    #expect(decision.refusedBy == nil)
  }

  @Test("a refusal charges no part, and names the one that delays it most")
  func refusal() {
    let limiter = model()
    #expect(limiter.tryAcquire([.requests: 3, .tokens: 80]))
    let decision = limiter.request([.requests: 1, .tokens: 30])
    #expect(!decision.isAllowed && decision.refusedBy == .requests)
    #expect(decision.retryAfter == .seconds(60))
    #expect(remaining(limiter) == [0, 20, 70])
    let other = limiter.request([.tokens: 71])
    #expect(other.refusedBy == .tokens && other.retryAfter == .seconds(86_400))
    #expect(limiter.request([.tokens: 30]).retryAfter == .seconds(1))
  }

  @Test("a cost of nothing is granted whatever is in the way, and changes nothing")
  func nothing() async throws {
    let limiter = model()
    limiter.penalize(200)
    limiter.acquire(1) { _ in }
    limiter.pause(for: .seconds(10))
    let before = remaining(limiter)
    #expect(limiter.tryAcquire(0) && limiter.tryAcquire([.tokens: 0]) && limiter.tryAcquire([:]))
    #expect(limiter.request([:]).isAllowed)
    let spent = try await limiter.acquire([.requests: 0], within: .zero)
    #expect(spent.instant == clock.now)
    #expect(remaining(limiter) == before && limiter.waitingCount == 1)
  }

  @Test("a cost above the capacity of a named part is impossible, and one above another's is not")
  func impossible() async {
    let limiter = model()
    let decision = limiter.request([.tokens: 101])
    #expect(!decision.isPossible && decision.retryAfter == nil && !decision.isAllowed)
    #expect(limiter.peek([.tokens: 100]).isAllowed)
    #expect(!limiter.peek(4).isPossible)
    let error = await #expect(throws: AcquireError.self) {
      try await limiter.acquire([.requests: 4])
    }
    #expect(error?.reason == .exceedsBurst)
  }

  @Test("each verb takes costs by name")
  func verbs() async throws {
    let limiter = model()
    #expect(limiter.requestEach([.tokens: 10]).map(\.isAllowed) == [true, true, true])
    #expect(limiter.peek([.tokens: 20]).remaining == 3)
    try await limiter.acquire([.tokens: 10])
    limiter.penalize([.tokens: 90])
    #expect(remaining(limiter) == [3, 0, 40])
    #expect(limiter.available == -10)
    limiter.add([.tokens: 30, .requests: 1])
    #expect(remaining(limiter) == [3, 20, 70])
    try await limiter.acquire([.tokens: 5])
    #expect(limiter.take(upTo: 100) == 3)
    #expect(remaining(limiter) == [0, 12, 62])
    #expect(limiter.drain() == 0)
    #expect(remaining(limiter) == [0, 0, 0])
  }

  @Test("a permit costs what is named of the other limits, and always one permit")
  func permits() {
    let limit = ConcurrencyLimit(
      2, limitedBy: [.slidingWindow(10, per: .seconds(1)).named("starts")], clock: clock)
    let first = limit.tryAcquire(["starts": 8])
    #expect(limit.heldCount == 1 && limit.tryAcquire(3) == nil && limit.heldCount == 1)
    let second = limit.tryAcquire([:])
    #expect(limit.heldCount == 2 && limit.tryAcquire([:]) == nil)
    first?.settle(["starts": 1])
    first?.release()
    let third = limit.tryAcquire(9)
    #expect(third != nil && limit.heldCount == 2)
    withExtendedLifetime((second, third)) {}
  }

  @Test("costs say what they are")
  func description() {
    #expect("\(Costs(3))" == "3")
    #expect("\(Costs(["b": 2, "a": 1]))" == "a: 1, b: 2")
    let literal: Costs = ["a": 1]
    #expect(literal == Costs(["a": 1]) && literal != 1)
  }
}

#if os(Linux) || os(macOS)
  /// A call that stops the program.
  struct CostTrap: Sendable {
    let sentence: String
    let stop: @Sendable () async -> Void

    static let all = verbs + names + settlements

    private static var limiter: RateLimiter {
      RateLimiter(.tokenBucket(rate: .perSecond(1), burst: 5).named("a"))
    }

    private static var keyed: KeyedRateLimiter<Int> {
      KeyedRateLimiter(rate: .perSecond(1), burst: 5, maximumKeys: 10)
    }

    private static let verbs = [
      negative { _ = limiter.tryAcquire(-1) }, negative { _ = limiter.tryAcquire(["a": -1]) },
      negative { _ = limiter.request(-1) }, negative { _ = limiter.request(Costs(-1)) },
      negative { _ = limiter.requestEach(Costs(-1)) }, negative { _ = limiter.peek(Costs(-1)) },
      CostTrap(sentence: "must not be negative") { _ = limiter.take(upTo: -1) },
      negative { _ = try? await limiter.acquire(-1) },
      negative { _ = limiter.acquire(Costs(-1)) { _ in } },
      negative { limiter.add(-1) }, negative { limiter.penalize(-1) },
      negative { limiter.penalize(["a": -1]) },
      negative { _ = keyed.tryAcquire(-1, for: 1) }, negative { _ = keyed.request(-1, for: 1) },
      negative { _ = keyed.request(-1, for: [1, 2]) }, negative { _ = keyed.peek(-1, for: 1) },
      negative { _ = keyed.penalize(-1, for: 1) },
      CostTrap(sentence: "must not be negative") { _ = keyed.take(upTo: -1, for: 1) },
      negative { _ = try? await keyed.acquire(-1, for: 1) },
      negative { _ = keyed.acquire(-1, for: 1) { _ in } },
      negative { _ = TokenBucket(rate: .perSecond(1), burst: 1).tryAcquire(-1) },
    ]

    private static let names = [
      unknown { _ = limiter.tryAcquire(["b": 1]) }, unknown { _ = limiter.request(["b": 1]) },
      unknown { _ = limiter.requestEach(["b": 1]) }, unknown { _ = limiter.peek(["b": 1]) },
      unknown { _ = limiter.acquire(["b": 1]) { _ in } },
      unknown { _ = try? await limiter.acquire(["b": 1, "a": 1]) },
      unknown { limiter.penalize(["b": 1]) }, unknown { limiter.add(["b": 1]) },
      unknown { _ = TokenBucket(rate: .perSecond(1), burst: 1).tryAcquire(["b": 1]) },
      unknown { _ = ConcurrencyLimit(1).tryAcquire(["b": 1]) },
    ]

    private static let settlements = [
      negative { try? await limiter.acquire().settle(-1) },
      negative { try? await limiter.acquire().settle(["a": -5]) },
      negative { _ = try? await keyed.acquire(for: 1).settle(-1) },
      unknown { try? await limiter.acquire().settle(["b": 1]) },
      CostTrap(sentence: "must name the parts") { try? await limiter.acquire(["a": 1]).settle(2) },
      CostTrap(sentence: "limits") { _ = RateLimiter([]) },
      CostTrap(sentence: "limits") { limiter.reconfigure([]) },
    ]

    private static func negative(_ stop: @escaping @Sendable () async -> Void) -> CostTrap {
      CostTrap(sentence: "cost must not be negative, but is", stop: stop)
    }

    private static func unknown(_ stop: @escaping @Sendable () async -> Void) -> CostTrap {
      CostTrap(sentence: "must be the name of a part of the limit", stop: stop)
    }
  }

  @Suite("Costs that stop the program")
  struct CostTrapTests {
    @Test("it says what is wrong", arguments: CostTrap.all.indices)
    func message(index: Int) async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [index] in
        await CostTrap.all[index].stop()
      }
      let said = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(said.contains(CostTrap.all[index].sentence), "\(said)")
    }
  }
#endif
