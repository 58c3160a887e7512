import Pacing
import TestSupport
import Testing

/// A limit that keeps a forecast of its queue, and the same without one.
@Suite("Limits: the forecast of a queue")
struct ForecastLawTests {
  struct Pair<Limit: QueuedLimit> where Limit.Payload == Int {
    var limiter: Limit
    /// `resume` discards its forecast.
    var planner: Limit
    let capacity: Int
    /// How many times as long limits and timeouts are, which makes the queue longer.
    let pace: Int
    /// Whether each waiter is served on time.
    let isPunctual: Bool
    var now = 0
    private(set) var difference: String?
    private var places = [(Limit.Place, Limit.Place)]()

    init(_ limit: Limit, capacity: Int, pace: Int, isPunctual: Bool) {
      limiter = limit
      planner = limit
      self.capacity = capacity
      self.pace = pace
      self.isPunctual = isPunctual
    }

    /// Waiters that are due must be served before the planner's forecast is discarded.
    mutating func expect<Value: Equatable>(
      _ what: String, discards: Bool = true, _ body: (inout Limit) -> Value
    ) {
      if discards {
        limiter.advance(until: LimitLawTests.at(now))
        planner.resume(at: LimitLawTests.at(now))
      }
      let (known, planned) = (body(&limiter), body(&planner))
      guard difference == nil, known != planned else { return }
      difference = "\(what): \(known), planned \(planned)"
    }

    private mutating func review() {
      let instant = LimitLawTests.at(now)
      for _ in 0..<2 {
        expect("served", discards: false) { limiter in
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
    mutating func act(
      _ step: Int, using random: inout SplitMix64,
      _ change: (inout Pair, _ cost: Int, _ at: PacingInstant, inout SplitMix64) -> Void
    ) {
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
      case 3: change(&self, cost, instant, &random)
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

  @Test("of a window, it remembers no more than a few spends a waiter, however long it lives")
  func memory() {
    var limiter = RateLimiterState<Int>(
      [.slidingWindow(1, per: .nanoseconds(10))], at: LimitLawTests.at(0))
    _ = limiter.tryAcquire(1, at: LimitLawTests.at(0))
    var longest = 0
    for round in 0..<5000 {
      let now = LimitLawTests.at(round * 10)
      for _ in 0..<(round == 0 ? 5 : 1) {
        #expect(limiter.admit(1, within: 1000, at: now) == .mustWait)
        _ = limiter.join(1, as: round, within: 1000)
      }
      longest = max(longest, limiter.forecast?.count ?? 0)
      #expect(limiter.grantNext(at: LimitLawTests.at(round * 10 + 10)) != nil)
    }
    #expect(longest > 0 && longest <= 80, "\(longest)")
  }

  /// A random policy, lateness and pace.
  struct Terms {
    let pace: Int
    let isPunctual: Bool
    let queue: QueuePolicy

    init(using random: inout SplitMix64) {
      pace = [1, 1, 4, 10].randomElement(using: &random)!
      isPunctual = Bool.random(using: &random)
      queue = QueuePolicy(
        maximumWaiters: [nil, nil, 8].randomElement(using: &random)!,
        order: Int.random(in: 0..<4, using: &random) == 0 ? .newestFirst : .oldestFirst,
        whenFull: Bool.random(using: &random) ? .refuseNewest : .dropOldest,
        catchUp: Bool.random(using: &random) ? .zero : .nanoseconds(10))
    }
  }

  @Test(
    "several limits: changes no answer, whichever callers join, leave and are served late",
    arguments: Soak.seeds(80))
  func several(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let terms = Terms(using: &random)
    let limits = (0..<Int.random(in: 1...3, using: &random)).map { _ -> Limit in
      let count = Int.random(in: 1...4, using: &random)
      let time = Duration.nanoseconds(terms.pace * Int.random(in: 1...40, using: &random))
      return switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: .tokenBucket(rate: Rate(3, per: time), burst: count)
      case 2, 3: .slidingWindow(count, per: time)
      default: .fixedWindow(count, per: time, from: .creation)
      }
    }
    let limiter = RateLimiterState<Int>(limits, queue: terms.queue, at: LimitLawTests.at(0))
    var pair = Pair(
      limiter, capacity: limiter.capacity, pace: terms.pace, isPunctual: terms.isPunctual)
    for step in 0..<250 {
      pair.act(step, using: &random) { _, _, _, _ in }
      #expect(pair.difference == nil, "seed \(seed), step \(step)")
      guard pair.difference == nil else { return }
    }
  }

  @Test(
    "a bucket: changes no answer, whether tokens come in steps, are reserved or saved up for",
    arguments: Soak.seeds(120))
  func bucket(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let terms = Terms(using: &random)
    let burst = Int.random(in: 1...6, using: &random)
    let overdrafts: [Overdraft] = [.none, .none, .savingUp, .nextPays]
    let overdraft = overdrafts.randomElement(using: &random)!
    let period = [nil, 1, 7, 20, 45].randomElement(using: &random)!
    let time = Duration.nanoseconds(terms.pace * Int.random(in: 1...40, using: &random))
    var pair = Pair(
      BucketState<Int>(
        rate: Rate(Int.random(in: 1...5, using: &random), per: time), burst: burst,
        refill: period.map { .stepwise(every: .nanoseconds(terms.pace * $0)) } ?? .continuous,
        overdraft: overdraft, queue: terms.queue, at: LimitLawTests.at(0)),
      capacity: overdraft == .none ? burst : 2 * burst, pace: terms.pace,
      isPunctual: terms.isPunctual)
    let isCalm = Bool.random(using: &random)
    var held = [(BucketState<Int>.Reserved, Int)]()
    for step in 0..<250 {
      pair.act(step, using: &random) { pair, cost, now, random in
        guard !isCalm else { return }
        Self.change(&pair, &held, cost, now, using: &random)
      }
      #expect(pair.difference == nil, "seed \(seed), step \(step)")
      guard pair.difference == nil else { return }
    }
  }

  /// Spends, adds, reserves and gives back, or changes the rate.
  private static func change(
    _ pair: inout Pair<BucketState<Int>>, _ held: inout [(BucketState<Int>.Reserved, Int)],
    _ cost: Int, _ now: PacingInstant, using random: inout SplitMix64
  ) {
    let used = Int.random(in: 0...cost + 1, using: &random)
    let index = held.indices.randomElement(using: &random)
    switch (Int.random(in: 0..<9, using: &random), index) {
    case (0, _): pair.expect("penalty") { $0.penalize(cost, at: now) == () }
    case (1, _): pair.expect("addition") { $0.add(cost, at: now) == () }
    case (2, _): pair.expect("drained") { $0.drain(at: now) }
    case (3, _):
      let rate = Rate(cost, per: .nanoseconds(10 * pair.pace))
      pair.expect("change") {
        $0.reconfigure(rate: rate, burst: nil, inheriting: .keep, at: now) == ()
      }
    case (4, let index?):
      let (reserved, cost) = held.remove(at: index)
      pair.expect("cancelled") { $0.cancel(reserved, cost: cost, at: now) }
    case (5, let index?):
      let (reserved, cost) = held.remove(at: index)
      pair.expect("settled") { $0.settle(reserved, cost: cost, actual: used, at: now) == () }
    case (6, let index?):
      let reserved = held.remove(at: index).0
      pair.expect("forgotten") { $0.forget(reserved) == () }
    default:
      var reserved: BucketState<Int>.Reserved?
      pair.expect("reserved") { bucket in
        let result = bucket.reserve(cost, at: now)
        if case .success(let success) = result { reserved = success }
        return result
      }
      if let reserved { held.append((reserved, cost)) }
    }
  }
}
