import Pacing
import TestSupport
import Testing

/// The laws of every limit, whatever it counts: one suite for all.
@Suite("Limits: laws")
struct LimitLawTests {
  /// A limit to test, with times of a few nanoseconds.
  struct Subject: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let capacity: Int
    let make: @Sendable () -> any QueuedLimit<Int>

    init(_ name: String, _ limits: Limit...) {
      testDescription = name
      capacity = limits.map(\.capacity).min()!
      make = { RateLimiterState<Int>(limits, at: LimitLawTests.at(0)) }
    }

    init(bucket rate: Rate, burst: Int) {
      testDescription = "token bucket by itself"
      capacity = burst
      make = { BucketState<Int>(rate: rate, burst: burst, at: LimitLawTests.at(0)) }
    }
  }

  static let bucket = Limit.tokenBucket(rate: Rate(3, per: .nanoseconds(10)), burst: 5)
  static let fixed = Limit.fixedWindow(6, per: .nanoseconds(13))
  static let grid = Limit.fixedWindow(4, per: .nanoseconds(9), from: .creation)
  static let sliding = Limit.slidingWindow(7, per: .nanoseconds(17))

  static let subjects = [
    Subject(bucket: Rate(3, per: .nanoseconds(10)), burst: 5), Subject("token bucket", bucket),
    Subject("fixed window", fixed), Subject("fixed window on a grid", grid),
    Subject("sliding window", sliding), Subject("bucket and sliding window", bucket, sliding),
    Subject("two windows", fixed, sliding),
    Subject("all of them", bucket, fixed, grid, sliding),
  ]

  static func at(_ nanosecond: Int) -> PacingInstant {
    PacingInstant(nanoseconds: Nanoseconds(nanosecond))
  }

  /// A limit with a random past, and the instant at which that past ends.
  static func veteran(
    _ subject: Subject, using random: inout SplitMix64
  ) -> (limit: any QueuedLimit<Int>, now: Int) {
    var limit = subject.make()
    var now = 0
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      now += Int.random(in: 0...9, using: &random)
      _ = limit.tryAcquire(Int.random(in: 0...subject.capacity, using: &random), at: at(now))
    }
    return (limit, now)
  }

  /// The observable state of a limit from an instant on.
  static func look(_ limit: any QueuedLimit<Int>, _ subject: Subject, from now: Int) -> [Int] {
    var limit = limit
    var seen = [limit.waitingCount]
    for instant in now..<now + 40 {
      seen.append(limit.available(at: at(instant)))
      for cost in 0...subject.capacity + 1 {
        let decision = limit.peek(cost, at: at(instant))
        seen.append(decision.retryAfter.map { Int(Nanoseconds(roundingUp: $0)) } ?? -1)
        seen.append(decision.remaining)
      }
    }
    return seen
  }

  static func wait(_ decision: Decision) -> Int? {
    decision.retryAfter.map { Int(Nanoseconds(roundingUp: $0)) }
  }

  @Test("a refusal and a look change nothing", arguments: subjects, Soak.seeds(10))
  func refusals(subject: Subject, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (limit, now) = Self.veteran(subject, using: &random)
    for cost in 0...subject.capacity + 1 {
      let before = Self.look(limit, subject, from: now)
      let look = limit.peek(cost, at: Self.at(now))
      #expect(Self.look(limit, subject, from: now) == before, "seed \(seed)")
      var copy = limit
      #expect(copy.request(cost, at: Self.at(now)) == look, "seed \(seed)")
      guard !look.isAllowed else { continue }
      #expect(Self.look(copy, subject, from: now) == before, "seed \(seed)")
      let isAllowed = copy.tryAcquire(cost, at: Self.at(now))
      let admission = copy.admit(cost, within: 0, mayAlwaysJoin: false, at: Self.at(now))
      #expect(!isAllowed && admission != .granted && admission != .mustWait, "seed \(seed)")
      #expect(Self.look(copy, subject, from: now) == before, "seed \(seed)")
    }
  }

  @Test(
    "a call that only the level decides is answered as behind waiters, and leaves the same",
    arguments: subjects, Soak.seeds(10))
  func plainCalls(subject: Subject, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (limit, now) = Self.veteran(subject, using: &random)
    #expect(limit.isPlain, "seed \(seed)")
    for cost in 0...subject.capacity + 1 {
      for instant in now..<now + 40 {
        var (plain, queued) = (limit, limit)
        let isAllowed = plain.tryPlainly(cost, at: Self.at(instant))
        #expect(isAllowed == queued.tryAcquire(cost, at: Self.at(instant)), "seed \(seed)")
      }
      let instant = now + Int.random(in: 0...12, using: &random)
      var (plain, queued) = (limit, limit)
      let isAllowed = plain.tryPlainly(cost, at: Self.at(instant))
      #expect(isAllowed == queued.tryAcquire(cost, at: Self.at(instant)), "seed \(seed)")
      let looks = [plain, queued].map { Self.look($0, subject, from: instant) }
      #expect(looks[0] == looks[1], "seed \(seed), cost \(cost)")
    }
  }

  @Test(
    "dotnet/runtime#92557, #129036: denied at every instant before the wait it reports, granted at it",
    arguments: subjects, Soak.seeds(20))
  func exactWaits(subject: Subject, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (limit, now) = Self.veteran(subject, using: &random)
    for cost in 1...subject.capacity {
      var copy = limit
      let wait = Self.wait(copy.request(cost, at: Self.at(now)))!
      for early in 0..<wait {
        let isAllowed = copy.tryAcquire(cost, at: Self.at(now + early))
        #expect(!isAllowed, "seed \(seed), cost \(cost)")
      }
      guard wait > 0 else { continue }
      let isAllowed = copy.tryAcquire(cost, at: Self.at(now + wait))
      #expect(isAllowed, "seed \(seed), cost \(cost)")
    }
  }

  @Test("after the time it reports, nothing is remembered", arguments: subjects, Soak.seeds(10))
  func resets(subject: Subject, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (limit, now) = Self.veteran(subject, using: &random)
    let reset = Int(Nanoseconds(roundingUp: limit.peek(0, at: Self.at(now)).resetAfter))
    #expect(limit.available(at: Self.at(now + reset)) == subject.capacity, "seed \(seed)")
  }

  @Test("a cost of nothing is granted, waiters or not, and changes nothing", arguments: subjects)
  func nothing(subject: Subject) {
    var limit = subject.make()
    for waiter in 0...2 {
      let before = Self.look(limit, subject, from: 0)
      let isAllowed = limit.tryAcquire(0, at: Self.at(0))
      let decision = limit.request(0, at: Self.at(0))
      let admission = limit.admit(0, within: 0, mayAlwaysJoin: false, at: Self.at(0))
      #expect(isAllowed && decision.isAllowed && admission == .granted)
      #expect(Self.look(limit, subject, from: 0) == before)
      _ = limit.tryAcquire(subject.capacity, at: Self.at(0))
      if limit.admit(1, within: nil, mayAlwaysJoin: false, at: Self.at(0)) == .mustWait {
        _ = limit.join(1, as: waiter, within: nil)
      }
    }
    #expect(limit.waitingCount > 0)
  }

  @Test(
    "a cost above the capacity is always refused, and never waited for",
    arguments: subjects)
  func tooMuch(subject: Subject) {
    var limit = subject.make()
    for cost in [subject.capacity + 1, .max] {
      let decision = limit.request(cost, at: Self.at(0))
      #expect(!decision.isAllowed && decision.retryAfter == nil)
      #expect(decision.remaining == subject.capacity)
      let admission = limit.admit(cost, within: nil, mayAlwaysJoin: false, at: Self.at(0))
      #expect(admission == .refused(.exceedsBurst(cost: cost, burst: subject.capacity)))
    }
    let all = limit.tryAcquire(subject.capacity, at: Self.at(0))
    #expect(all)
  }

  @Test(
    "golang/go#56287: a clock that jumps back counts as the latest instant seen",
    arguments: subjects, Soak.seeds(5))
  func jumpsBack(subject: Subject, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (limit, now) = Self.veteran(subject, using: &random)
    _ = limit.available(at: Self.at(now))
    var straight = limit
    for _ in 0..<30 {
      let cost = Int.random(in: 0...subject.capacity, using: &random)
      let stale = Self.at(Int.random(in: -50...now, using: &random))
      #expect(limit.request(cost, at: stale) == straight.request(cost, at: Self.at(now)))
    }
  }

  @Test(
    "waiters are served in order, each when it was said, and are never overtaken",
    arguments: subjects, Soak.seeds(20))
  func order(subject: Subject, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (limit, now) = Self.veteran(subject, using: &random)
    var promised = [(name: Int, at: Int)]()
    var served = [(name: Int, at: Int)]()
    for name in 0..<30 {
      let cost = Int.random(in: 1...subject.capacity, using: &random)
      let wait = Self.wait(limit.peek(cost, at: Self.at(now)))!
      if wait > 0 {
        let before = limit.admit(
          cost, within: Nanoseconds(wait - 1), mayAlwaysJoin: false, at: Self.at(now))
        #expect(before == .refused(.deadline(neededWait: .nanoseconds(wait))), "seed \(seed)")
        let admission = limit.admit(
          cost, within: Nanoseconds(wait), mayAlwaysJoin: false, at: Self.at(now))
        #expect(admission == .mustWait, "seed \(seed)")
        _ = limit.join(cost, as: name, within: nil)
        promised.append((name, now + wait))
      }
      if limit.waitingCount > 0 {
        let overtakes = limit.tryAcquire(1, at: Self.at(now))
        #expect(!overtakes, "seed \(seed)")
      }
      let next = now + Int.random(in: 0...3, using: &random)
      while limit.deadline <= Self.at(next) {
        let due = limit.deadline
        guard let name = limit.grantNext(at: due) else {
          Issue.record("nothing to grant at the deadline, seed \(seed)")
          return
        }
        served.append((name, Int(due.nanoseconds)))
      }
      now = next
    }
    let pairs = zip(promised, served)
    #expect(pairs.allSatisfy { $0.name == $1.name && $0.at == $1.at }, "seed \(seed)")
    #expect(promised.count == served.count + limit.waitingCount, "seed \(seed)")
  }

  @Test(
    "dotnet/runtime#64078, #77180: a waiter that leaves frees its place, as if it had never come",
    arguments: subjects, Soak.seeds(20))
  func leaving(subject: Subject, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (limit, now) = Self.veteran(subject, using: &random)
    _ = limit.tryAcquire(subject.capacity, at: Self.at(now))
    while limit.tryAcquire(1, at: Self.at(now)) {}
    var without = limit
    var leavers = [WaiterQueue<Int>.Place]()
    for name in 0..<12 {
      let cost = Int.random(in: 1...subject.capacity, using: &random)
      #expect(
        limit.admit(cost, within: nil, mayAlwaysJoin: false, at: Self.at(now)) == .mustWait,
        "seed \(seed)")
      let place = limit.join(cost, as: name, within: nil)
      if Bool.random(using: &random) {
        leavers.append(place)
      } else {
        _ = without.admit(cost, within: nil, mayAlwaysJoin: false, at: Self.at(now))
        _ = without.join(cost, as: name, within: nil)
      }
    }
    for place in leavers.shuffled(using: &random) {
      let left = limit.withdraw(place)
      let again = limit.withdraw(place)
      #expect(left != nil && again == nil, "seed \(seed)")
    }
    while without.waitingCount > 0 {
      #expect(limit.deadline == without.deadline, "seed \(seed)")
      now = Int(without.deadline.nanoseconds)
      let served = limit.grantNext(at: Self.at(now))
      #expect(served == without.grantNext(at: Self.at(now)) && served != nil, "seed \(seed)")
    }
    #expect(limit.waitingCount == 0 && limit.deadline == .distantFuture)
    #expect(Self.look(limit, subject, from: now) == Self.look(without, subject, from: now))
  }
}
