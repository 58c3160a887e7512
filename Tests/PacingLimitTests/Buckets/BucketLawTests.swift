import Pacing
import TestSupport
import Testing

@Suite("BucketState: laws")
struct BucketLawTests {
  /// A small random bucket and its oracle.
  struct Pair {
    var bucket: BucketState<Int>
    var oracle: NaiveBucket
    let tokens: Int
    let nanoseconds: Int
    let burst: Int

    /// Tokens arrive one by one, or many at a time.
    init(isStepwise: Bool = false, using random: inout SplitMix64) {
      tokens = Int.random(in: 1...6, using: &random)
      nanoseconds = Int.random(in: 1...40, using: &random)
      burst = Int.random(in: 1...6, using: &random)
      let initial = Int.random(in: 0...burst, using: &random)
      let period = isStepwise ? Int.random(in: 1...60, using: &random) : nil
      bucket = BucketState(
        rate: Rate(tokens, per: .nanoseconds(nanoseconds)), burst: burst, initial: initial,
        refill: period.map { .stepwise(every: .nanoseconds($0)) } ?? .continuous,
        queue: QueuePolicy(catchUp: .zero), at: Self.at(0))
      oracle = NaiveBucket(
        tokens: tokens, nanoseconds: nanoseconds, burst: burst, initial: initial, period: period)
    }

    static func at(_ nanosecond: Int) -> PacingInstant {
      PacingInstant(nanoseconds: Nanoseconds(nanosecond))
    }
  }

  @Test(
    "agrees with a step-by-step simulation of callers that come, wait and leave",
    arguments: Soak.seeds(200), [false, true])
  func agrees(seed: UInt64, isStepwise: Bool) {
    var random = SplitMix64(seed: seed)
    var pair = Pair(isStepwise: isStepwise, using: &random)
    var served = [(name: Int, at: Int)]()
    var places = [(name: Int, place: BucketState<Int>.Place)]()
    var now = 0
    for name in 0..<120 {
      let next = now + [0, 0, 1, 2, 7, 30].randomElement(using: &random)!
      while pair.bucket.deadline <= Pair.at(next) {
        let due = pair.bucket.deadline
        guard let name = pair.bucket.grantNext(at: due) else {
          Issue.record("nothing to grant at the deadline")
          return
        }
        served.append((name, Int(due.nanoseconds)))
      }
      now = next
      pair.oracle.advance(to: now)
      let cost = Int.random(in: 0...(pair.burst + 1), using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        let isAllowed = pair.bucket.tryAcquire(cost, at: Pair.at(now))
        #expect(isAllowed == pair.oracle.tryAcquire(cost))
      case 2:
        expectTheSameLook(pair, cost: cost, at: now)
      case 3, 4:
        let timeout = [nil, 0, 5, 20].randomElement(using: &random)!
        join(&pair, name, cost: cost, within: timeout, at: now, &places)
      default:
        guard let index = places.indices.randomElement(using: &random) else { continue }
        let (name, place) = places.remove(at: index)
        let left = pair.bucket.withdraw(place)
        #expect((left != nil) == pair.oracle.waiting.contains(name))
        pair.oracle.leave(name)
        while let name = pair.bucket.grantNext(at: Pair.at(now)) { served.append((name, now)) }
      }
      #expect(pair.bucket.available(at: Pair.at(now)) == pair.oracle.available)
      #expect(pair.bucket.waitingCount == pair.oracle.waiting.count)
    }
    #expect(served.map(\.name) == pair.oracle.served.map(\.name))
    #expect(served.map(\.at) == pair.oracle.served.map(\.at))
  }

  private func expectTheSameLook(_ pair: Pair, cost: Int, at now: Int) {
    var bucket = pair.bucket
    let look = bucket.peek(cost, at: Pair.at(now))
    guard cost <= pair.burst else {
      #expect(look.retryAfter == nil && !look.isAllowed)
      return
    }
    let wait = cost == 0 ? 0 : pair.oracle.dueAt(cost: cost) - now
    #expect(look.retryAfter == .nanoseconds(wait))
    #expect(look.isAllowed == (wait == 0))
  }

  private func join(
    _ pair: inout Pair, _ name: Int, cost: Int, within timeout: Int?, at now: Int,
    _ places: inout [(name: Int, place: BucketState<Int>.Place)]
  ) {
    let due = cost > pair.burst ? nil : cost == 0 ? now : pair.oracle.dueAt(cost: cost)
    let isInTime = due.map { $0 - now <= timeout ?? .max } ?? false
    switch pair.bucket.admit(cost, within: timeout.map(Nanoseconds.init), at: Pair.at(now)) {
    case .granted:
      let isGranted = pair.oracle.tryAcquire(cost)
      #expect(isInTime && due == now && isGranted)
    case .mustWait:
      #expect(isInTime && due! > now)
      pair.oracle.wait(name, cost: cost)
      places.append((name, pair.bucket.join(cost, as: name)))
    case .refused(let error):
      #expect(!isInTime)
      let expected =
        due.map { AcquireError.deadline(neededWait: .nanoseconds($0 - now)) }
        ?? .exceedsBurst(cost: cost, burst: pair.burst)
      #expect(error == expected)
    }
  }

  @Test(
    "is denied at every instant before the wait it reports, and granted at its end",
    arguments: Soak.seeds(100))
  func reportsExactWaits(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bucket = Pair(using: &random).bucket
    var now = 0
    for _ in 0..<60 {
      now += Int.random(in: 0...9, using: &random)
      let cost = Int.random(in: 0...7, using: &random)
      let decision = bucket.request(cost, at: Pair.at(now))
      guard !decision.isAllowed, let retryAfter = decision.retryAfter else { continue }
      let due = now + Int(Nanoseconds(roundingUp: retryAfter))
      for instant in now..<due {
        var copy = bucket
        let isAllowed = copy.tryAcquire(cost, at: Pair.at(instant))
        #expect(!isAllowed)
      }
      var copy = bucket
      let isAllowed = copy.tryAcquire(cost, at: Pair.at(due))
      #expect(isAllowed)
    }
  }

  @Test(
    "without waiters and reservations, the level answers as the plan does",
    arguments: Soak.seeds(300))
  func answersPlainly(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let rates: [Rate] = [
      .none, .unlimited, Rate(Int.random(in: 1...9, using: &random), per: .nanoseconds(7)),
      Rate(Int.random(in: 1..<Int.max, using: &random), per: .nanoseconds(Int64.max)),
    ]
    let burst = Int.random(in: 1...6, using: &random)
    var now = [0, Int.random(in: -50...50, using: &random), .max / 2].randomElement(using: &random)!
    var bucket = BucketState<Int>(
      rate: rates.randomElement(using: &random)!, burst: burst,
      refill: Bool.random(using: &random) ? .continuous : .stepwise(every: .nanoseconds(11)),
      overdraft: [.none, .savingUp, .nextPays].randomElement(using: &random)!, at: Pair.at(now))
    for step in 0..<100 {
      now += [0, 0, 1, 5, 40, 1_000_000].randomElement(using: &random)!
      let cost = Int.random(in: 0...burst + 2, using: &random)
      var planned = bucket
      let (answer, plan) = (
        bucket.requestPlainly(cost, at: Pair.at(now)), planned.request(cost, at: Pair.at(now))
      )
      #expect(answer == plan, "seed \(seed), step \(step)")
      #expect(bucket.statistics == planned.statistics, "seed \(seed), step \(step)")
      bucket = [bucket, planned].randomElement(using: &random)!
      #expect(bucket.available(at: Pair.at(now)) == planned.available(at: Pair.at(now)))
    }
  }

  @Test(
    "grants in any interval no more than the burst and what comes in it", arguments: Soak.seeds(100)
  )
  func keepsTheLimit(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var pair = Pair(using: &random)
    var granted = [(cost: Int, at: Int)]()
    var now = 0
    for _ in 0..<150 {
      // A backward clock jump mints no tokens: the latest instant seen counts.
      let reading = max(0, now + Int.random(in: -5...12, using: &random))
      now = max(now, reading)
      let cost = Int.random(in: 1...pair.burst, using: &random)
      if pair.bucket.tryAcquire(cost, at: Pair.at(reading)) { granted.append((cost, now)) }
    }
    expectWithinTheLimit(granted, pair)
  }

  @Test(
    "keeps to it however late its timer is, and whichever waiters leave", arguments: Soak.seeds(100)
  )
  func keepsTheLimitWhenLate(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var pair = Pair(using: &random)
    var granted = [(cost: Int, at: Int)]()
    var costs = [Int]()
    var places = [BucketState<Int>.Place]()
    var now = 0
    for _ in 0..<150 {
      now += Int.random(in: 0...15, using: &random)
      while let index = pair.bucket.grantNext(at: Pair.at(now)) {
        granted.append((costs[index], now))
      }
      let cost = Int.random(in: 1...pair.burst, using: &random)
      switch pair.bucket.admit(cost, within: nil, at: Pair.at(now)) {
      case .granted: granted.append((cost, now))
      case .mustWait: places.append(pair.bucket.join(cost, as: costs.count))
      case .refused: Issue.record("refused within the burst and without a deadline")
      }
      costs.append(cost)
      if Bool.random(using: &random), let place = places.popLast() {
        _ = pair.bucket.withdraw(place)
      }
    }
    // Between two nanoseconds a queue may be one nanosecond's refill ahead of what is observable.
    expectWithinTheLimit(granted, pair, slack: 1)
  }

  private func expectWithinTheLimit(
    _ granted: [(cost: Int, at: Int)], _ pair: Pair, slack: Int = 0
  ) {
    for first in granted.indices {
      var sum = 0
      for last in first..<granted.count {
        sum += granted[last].cost
        let span = granted[last].at - granted[first].at + slack
        let limit = pair.burst * pair.nanoseconds + span * pair.tokens
        #expect(sum * pair.nanoseconds <= limit, "in parts of a token")
      }
    }
  }
}
