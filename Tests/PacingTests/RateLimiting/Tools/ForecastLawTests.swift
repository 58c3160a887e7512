import Pacing
import TestSupport
import Testing

/// Several limits that keep a forecast of their queue, and the same without one.
@Suite("Limits: the forecast of a queue")
struct ForecastLawTests {
  struct Pair {
    var limiter: RateLimiterState<Int>
    /// `resume` discards its forecast.
    var planner: RateLimiterState<Int>
    let capacity: Int
    /// How many times as long limits and timeouts are, which makes the queue longer.
    let pace: Int
    /// Whether each waiter is served on time.
    let isPunctual: Bool
    var now = 0
    private(set) var difference: String?
    private var places = [(RateLimiterState<Int>.Place, RateLimiterState<Int>.Place)]()

    init(using random: inout SplitMix64) {
      let pace = [1, 1, 4, 10].randomElement(using: &random)!
      self.pace = pace
      isPunctual = Bool.random(using: &random)
      let limits = (0..<Int.random(in: 1...3, using: &random)).map { _ -> Limit in
        let count = Int.random(in: 1...4, using: &random)
        let time = Duration.nanoseconds(pace * Int.random(in: 1...40, using: &random))
        return switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: .tokenBucket(rate: Rate(3, per: time), burst: count)
        case 2, 3: .slidingWindow(count, per: time)
        default: .fixedWindow(count, per: time, from: .creation)
        }
      }
      let queue = QueuePolicy(
        maximumWaiters: [nil, nil, 8].randomElement(using: &random)!,
        order: Int.random(in: 0..<4, using: &random) == 0 ? .newestFirst : .oldestFirst,
        whenFull: Bool.random(using: &random) ? .refuseNewest : .dropOldest,
        catchUp: Bool.random(using: &random) ? .zero : .nanoseconds(10))
      limiter = RateLimiterState(limits, queue: queue, at: LimitLawTests.at(0))
      limiter.resume(at: LimitLawTests.at(0))
      planner = limiter
      capacity = limiter.capacity
    }

    private mutating func expect<Value: Equatable>(
      _ what: String, _ body: (inout RateLimiterState<Int>) -> Value
    ) {
      planner.resume(at: LimitLawTests.at(now))
      let (known, planned) = (body(&limiter), body(&planner))
      guard difference == nil, known != planned else { return }
      difference = "\(what): \(known), planned \(planned)"
    }

    private mutating func review() {
      let instant = LimitLawTests.at(now)
      for _ in 0..<2 {
        expect("served") { limiter in
          var served = [Int]()
          while let name = limiter.grantNext(at: instant) { served.append(name) }
          return served
        }
        expect("refused") { limiter in
          limiter.refuseHopeless(at: instant).map { "\($0.payload): \($0.error)" }
        }
      }
    }

    /// One step: time passes, and a caller joins or leaves.
    mutating func act(_ step: Int, using random: inout SplitMix64) {
      let next = now + [0, 0, 0, 1, 2, 3, 9, 30].randomElement(using: &random)!
      while isPunctual, difference == nil, limiter.deadline < LimitLawTests.at(next) {
        now = Int(limiter.deadline.nanoseconds)
        review()
      }
      now = next
      review()
      let instant = LimitLawTests.at(now)
      let cost = Int.random(in: 1...capacity, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0 where !places.isEmpty, 1 where !places.isEmpty:
        // Some may have been served by now.
        let last = Bool.random(using: &random) ? 0 : max(0, places.count - 5)
        let place = places.remove(at: Int.random(in: last..<places.count, using: &random))
        let left = (limiter.withdraw(place.0), planner.withdraw(place.1))
        if left.0 != left.1 { difference = "left: \(left)" }
      case 2:
        expect("look") { $0.peek(cost, at: instant) }
      default:
        let spans: [Nanoseconds?] = [nil, 0, 9, 20, 60, 200, 900]
        let timeout = spans.randomElement(using: &random)!.map { $0 * Nanoseconds(pace) }
        var mustWait = false
        expect("admission") { limiter in
          let admission = limiter.admit(cost, within: timeout, at: instant)
          mustWait = admission == .mustWait
          return admission
        }
        guard mustWait, difference == nil else { break }
        expect("displaced") { $0.displace() }
        places.append(
          (
            limiter.join(cost, as: step, within: timeout),
            planner.join(cost, as: step, within: timeout)
          ))
      }
      review()
      expect("waiting") { $0.waitingCount }
    }
  }

  @Test("whichever of fifty has been served and whichever leaves, the next wait is exact")
  func leavers() {
    var limiter = RateLimiterState<Int>(
      [LimitLawTests.bucket, LimitLawTests.sliding], at: LimitLawTests.at(0))
    var now = LimitLawTests.at(0)
    var places = [RateLimiterState<Int>.Place]()
    for waiter in 0..<50 {
      while case .granted = limiter.admit(1 + waiter % 5, within: 1000, at: now) {}
      places.append(limiter.join(1 + waiter % 5, as: waiter, within: 1000))
    }
    while limiter.waitingCount > 2 {
      for leaver in 50 - limiter.waitingCount..<50 {
        var left = limiter
        let name = left.withdraw(places[leaver])
        var planned = left
        planned.resume(at: now)
        let (known, expected) = (left.peek(3, at: now), planned.peek(3, at: now))
        #expect(name == leaver && known == expected, "\(leaver) of \(limiter.waitingCount)")
      }
      now = limiter.deadline
      _ = limiter.grantNext(at: now)
    }
  }

  @Test(
    "changes no answer, whichever callers join, leave and are served late",
    arguments: Soak.seeds(300))
  func agree(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var pair = Pair(using: &random)
    for step in 0..<250 {
      pair.act(step, using: &random)
      #expect(pair.difference == nil, "seed \(seed), step \(step)")
      guard pair.difference == nil else { return }
    }
  }
}
