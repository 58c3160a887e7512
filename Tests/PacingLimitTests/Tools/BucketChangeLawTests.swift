import Pacing
import TestSupport
import Testing

@Suite("BucketState: laws under change")
struct BucketChangeLawTests {
  typealias Bucket = BucketState<Int>

  /// A grant at a nanosecond; its cost is zero if it was returned before its time.
  struct Grant {
    var cost: Int
    let at: Int
    var number: UInt64?
  }

  static func at(_ nanosecond: Int) -> PacingInstant {
    PacingInstant(nanoseconds: Nanoseconds(nanosecond))
  }

  /// A bucket under every kind of call, with its grants.
  struct Run {
    var random: SplitMix64
    var bucket: Bucket
    let burst: Int
    var rates: [(tokens: Int, nanoseconds: Int)]
    var granted = [Grant]()
    var held = [(reserved: Bucket.Reserved, cost: Int)]()
    var places = [Bucket.Place]()
    var costs = [Int]()
    var now = 0
    private(set) var isNewestFirst = false

    /// Makes a bucket that alternates between `changes` rates.
    init(seed: UInt64, changes: Int) {
      random = SplitMix64(seed: seed)
      burst = Int.random(in: 1...6, using: &random)
      rates = []
      for _ in 0..<changes {
        rates.append(
          (Int.random(in: 1...6, using: &random), Int.random(in: 1...40, using: &random)))
      }
      let order = [QueuePolicy.Order.oldestFirst, .newestFirst].randomElement(using: &random)!
      isNewestFirst = order == .newestFirst
      bucket = Bucket(
        rate: Rate(rates[0].tokens, per: .nanoseconds(rates[0].nanoseconds)), burst: burst,
        queue: QueuePolicy(order: order, catchUp: .zero),
        at: BucketChangeLawTests.at(0))
    }

    mutating func act() {
      // A backward clock jump mints no tokens: the latest instant seen counts.
      let reading = max(0, now + Int.random(in: -5...12, using: &random))
      now = max(now, reading)
      _ = bucket.available(at: BucketChangeLawTests.at(now))
      let instant = BucketChangeLawTests.at(reading)
      serve()
      let cost = Int.random(in: 1...burst, using: &random)
      switch Int.random(in: 0..<13, using: &random) {
      case 0, 1:
        if bucket.tryAcquire(cost, at: instant) { granted.append(Grant(cost: cost, at: now)) }
      case 2:
        let taken = bucket.take(upTo: cost, at: instant)
        granted.append(Grant(cost: taken, at: now))
      case 3, 4:
        guard case .success(let reserved) = bucket.reserve(cost, at: instant) else { return }
        held.append((reserved, cost))
        granted.append(
          Grant(cost: cost, at: Int(reserved.due.nanoseconds), number: reserved.number))
      case 5:
        guard let index = held.indices.randomElement(using: &random) else { return }
        let (reserved, cost) = held.remove(at: index)
        if bucket.cancel(reserved, cost: cost, at: instant) { correct(reserved, to: 0) }
      case 6:
        guard let index = held.indices.randomElement(using: &random) else { return }
        let (reserved, cost) = held.remove(at: index)
        let actual = Int.random(in: 0...cost, using: &random)
        bucket.settle(reserved, cost: cost, actual: actual, at: instant)
        correct(reserved, to: actual)
      case 7:
        switch bucket.admit(cost, within: nil, at: instant) {
        case .granted: granted.append(Grant(cost: cost, at: now))
        case .mustWait: places.append(bucket.join(cost, as: costs.count))
        case .refused: return
        }
        costs.append(cost)
      case 8:
        if let place = places.popLast() { _ = bucket.withdraw(place) }
      case 9:
        bucket.pause(
          until: BucketChangeLawTests.at(now + Int.random(in: 0...15, using: &random)),
          at: instant)
      case 10:
        if Bool.random(using: &random) { bucket.resume(at: instant) }
      case 11:
        if Bool.random(using: &random) {
          bucket.penalize(cost, at: instant)
        } else {
          _ = bucket.drain(at: instant)
        }
      default:
        let rate = rates.randomElement(using: &random)!
        bucket.reconfigure(
          rate: Rate(rate.tokens, per: .nanoseconds(rate.nanoseconds)),
          burst: Int.random(in: 1...burst, using: &random), inheriting: .keep, at: instant)
        _ = bucket.refuseHopeless(at: instant)
      }
      serve()
    }

    private mutating func serve() {
      while let index = bucket.grantNext(at: BucketChangeLawTests.at(now)) {
        granted.append(Grant(cost: costs[index], at: now))
      }
    }

    private mutating func correct(_ reserved: Bucket.Reserved, to cost: Int) {
      for index in granted.indices where granted[index].number == reserved.number {
        granted[index].cost = cost
      }
    }
  }

  @Test(
    "grants in any interval no more than the burst and what comes in it, whatever else is done",
    arguments: Soak.seeds(150))
  func keepsTheLimit(seed: UInt64) {
    var run = Run(seed: seed, changes: 3)
    for _ in 0..<120 { run.act() }
    let fastest = run.rates.max { $0.tokens * $1.nanoseconds < $1.tokens * $0.nanoseconds }!
    let granted = run.granted.sorted { $0.at < $1.at }
    for first in granted.indices {
      var sum = 0
      for last in first..<granted.count {
        sum += granted[last].cost
        // A grant due between two nanoseconds is made in the second.
        let span = granted[last].at - granted[first].at + 1
        let limit = run.burst * fastest.nanoseconds + span * fastest.tokens
        #expect(sum * fastest.nanoseconds <= limit, "seed \(seed), from \(first) to \(last)")
      }
    }
  }

  @Test(
    "is denied at every instant before the wait it reports, and granted then, whatever others do",
    arguments: Soak.seeds(60))
  func reportsExactWaits(seed: UInt64) {
    var run = Run(seed: seed, changes: 3)
    for _ in 0..<40 {
      run.act()
      let cost = Int.random(in: 1...run.burst, using: &run.random)
      var bucket = run.bucket
      guard let wait = bucket.peek(cost, at: Self.at(run.now)).retryAfter else { continue }
      let due = run.now + Int(Nanoseconds(roundingUp: wait))
      for instant in run.now...due {
        var copy = bucket
        while copy.grantNext(at: Self.at(instant)) != nil {}
        let isAllowed = copy.tryAcquire(cost, at: Self.at(instant))
        #expect(isAllowed == (instant == due), "seed \(seed), \(due - instant) ns before")
        guard isAllowed == (instant == due) else { return }
        while bucket.grantNext(at: Self.at(instant)) != nil {}
      }
    }
  }

  @Test("a refusal changes nothing", arguments: Soak.seeds(60))
  func refusalsChangeNothing(seed: UInt64) {
    var run = Run(seed: seed, changes: 3)
    for _ in 0..<60 {
      run.act()
      let before = run.bucket
      var bucket = run.bucket
      let cost = Int.random(in: 1...run.burst + 1, using: &run.random)
      let now = Self.at(run.now)
      var isRefused = !bucket.tryAcquire(cost, at: now)
      if isRefused {
        if case .success = bucket.reserve(cost, within: 0, at: now) { isRefused = false }
        if case .refused = bucket.admit(cost, within: 0, at: now) {} else { isRefused = false }
        // A try overtakes no waiter; with LIFO order, the newest reservation or waiter is served
        // first.
        let mayOvertake = run.isNewestFirst && before.waitingCount > 0
        #expect(isRefused || mayOvertake, "seed \(seed): all ways agree")
      }
      guard isRefused else { continue }
      for later in [0, 1, 3, 10, 50] {
        var (first, second) = (before, bucket)
        let instant = Self.at(run.now + later)
        let served = (Self.serve(&first, at: instant), Self.serve(&second, at: instant))
        #expect(served.0 == served.1, "seed \(seed)")
        #expect(first.available(at: instant) == second.available(at: instant), "seed \(seed)")
        #expect(first.peek(1, at: instant) == second.peek(1, at: instant), "seed \(seed)")
      }
    }
  }

  private static func serve(_ bucket: inout Bucket, at instant: PacingInstant) -> [Int] {
    var served = [Int]()
    while let name = bucket.grantNext(at: instant) { served.append(name) }
    return served
  }

  @Test("with the next to pay, the grants are at most one cost more", arguments: Soak.seeds(60))
  func overdraft(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (tokens, nanoseconds) = (
      Int.random(in: 1...6, using: &random), Int.random(in: 1...20, using: &random)
    )
    let burst = Int.random(in: 1...6, using: &random)
    var bucket = Bucket(
      rate: Rate(tokens, per: .nanoseconds(nanoseconds)), burst: burst, overdraft: .nextPays,
      at: Self.at(0))
    var granted = [(cost: Int, at: Int)]()
    var now = 0
    for _ in 0..<150 {
      now += Int.random(in: 0...20, using: &random)
      let cost = Int.random(in: 1...burst * 3, using: &random)
      if bucket.tryAcquire(cost, at: Self.at(now)) { granted.append((cost, now)) }
    }
    for first in granted.indices {
      var sum = 0
      for last in first..<granted.count {
        let limit = burst * nanoseconds + (granted[last].at - granted[first].at) * tokens
        #expect(sum * nanoseconds <= limit, "seed \(seed)")
        sum += granted[last].cost
      }
    }
  }
}
