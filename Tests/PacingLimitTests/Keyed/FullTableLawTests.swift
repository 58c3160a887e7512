import PacingTesting
import TestSupport
import Testing

@testable import Pacing

/// Random calls for a few keys more than a table holds, next to a list of exact levels.
@Suite("KeyedRateLimiter: laws of a full table")
struct FullTableLawTests {
  /// A small table and its oracle.
  struct Pair {
    let clock = ManualClock()
    let limiter: KeyedRateLimiter<Int>
    var table: NaiveTable
    let keyCount: Int
    let maximumCost: Int
    private let granted = Locked(Set<Int>())
    private let refused = Locked([Int: AcquireError]())
    private var places = [(name: Int, acquisition: Acquisition)]()

    init(_ whenFull: WhenFull, using random: inout SplitMix64) {
      let kinds = Int.random(in: 1...3, using: &random)
      let terms = (0..<kinds).map { _ in
        NaiveKey.Terms(
          tokens: .random(in: 1...3, using: &random), period: .random(in: 1...7, using: &random),
          burst: .random(in: 1...4, using: &random))
      }
      let quotas = terms.map {
        Quota(rate: Rate($0.tokens, per: .nanoseconds($0.period)), burst: $0.burst)
      }
      let maximum = Int.random(in: 1...4, using: &random)
      keyCount = maximum + Int.random(in: 1...4, using: &random)
      maximumCost = terms.map(\.burst).max()! + 1
      table = NaiveTable(maximum: maximum, whenFull: whenFull) { terms[$0 % kinds] }
      limiter =
        kinds == 1
        ? KeyedRateLimiter(
          rate: quotas[0].rate, burst: quotas[0].burst, maximumKeys: maximum, whenFull: whenFull,
          clock: clock)
        : KeyedRateLimiter(maximumKeys: maximum, whenFull: whenFull, clock: clock) {
          quotas[$0 % kinds]
        }
    }

    mutating func wait(_ nanoseconds: Int) {
      clock.advance(by: .nanoseconds(nanoseconds))
      for _ in 0..<nanoseconds { table.tick() }
    }

    /// Counts a decision, and charges what it grants.
    private mutating func settle(_ isAllowed: Bool, _ cost: Int, _ keys: [Int]) -> String? {
      if isAllowed { table.granted += 1 } else { table.refused += 1 }
      guard isAllowed, cost > 0 else { return nil }
      let limiter = limiter
      let terms = table.terms
      let isRight = table.charge(cost, to: keys) { limiter.available(for: $0) == terms($0).burst }
      return isRight ? nil : "the keys forgotten for \(keys) are not those that are full first"
    }

    // MARK: Calls

    mutating func look(_ cost: Int, _ key: Int) -> String? {
      let expected = table.decision(cost, key, table.room(for: [key]))
      return difference(limiter.peek(cost, for: key), expected)
    }

    mutating func request(_ cost: Int, _ key: Int) -> String? {
      let expected = table.decision(cost, key, table.room(for: [key]))
      return difference(limiter.request(cost, for: key), expected)
        ?? settle(expected.isAllowed, cost, [key])
    }

    mutating func tryAcquire(_ cost: Int, _ key: Int) -> String? {
      let expected = table.decision(cost, key, table.room(for: [key])).isAllowed
      return difference(limiter.tryAcquire(cost, for: key), expected)
        ?? settle(expected, cost, [key])
    }

    mutating func take(_ count: Int, _ key: Int) -> String? {
      let expected = min(count, table.decision(0, key, table.room(for: [key])).remaining)
      return difference(limiter.take(upTo: count, for: key), expected)
        ?? (expected > 0 ? settle(true, expected, [key]) : nil)
    }

    /// Of equally restrictive decisions, any may be reported.
    mutating func request(_ cost: Int, _ keys: [Int]) -> String? {
      let room = table.room(for: keys)
      // A full key counts as new, but may be decided as known until the table has dropped it.
      if case .none = room, !table.fading.isDisjoint(with: keys) { return nil }
      let all = keys.map { table.decision(cost, $0, room) }
      let isAllowed = all.allSatisfy(\.isAllowed)
      let strictest =
        isAllowed
        ? all.filter { $0.remaining == all.map(\.remaining).min() }
        : all.filter { !$0.isAllowed && $0.retryAfter == longestWait(all) }
      let answer = limiter.request(cost, for: keys + keys.prefix(1))
      guard strictest.contains(answer.decision) else {
        return "\(answer) for \(keys), none of \(strictest)"
      }
      let own = all[keys.firstIndex(of: answer.key)!]
      return difference(answer.decision, own) ?? settle(isAllowed, cost, keys)
    }

    private func longestWait(_ decisions: [Decision]) -> Duration? {
      decisions.contains { $0.retryAfter == nil } ? nil : decisions.compactMap(\.retryAfter).max()
    }

    // MARK: Changes

    mutating func penalize(_ cost: Int, _ key: Int) {
      limiter.penalize(cost, for: key)
      table.change(key) { $0.spend(cost) }
    }

    mutating func reset(_ key: Int) {
      limiter.reset(key)
      guard table.index(of: key) != nil else { return }
      table.change(key) {
        $0.parts = $0.terms.full
        $0.pausedUntil = 0
      }
    }

    mutating func pause(_ key: Int, for length: Int) -> String? {
      let now = table.now
      let isRoom = table.room(for: [key]) == .free
      if isRoom { table.change(key) { $0.pausedUntil = max($0.pausedUntil, now + length) } }
      return difference(limiter.pause(key, for: .nanoseconds(length)), isRoom && length > 0)
    }

    mutating func resume(_ key: Int) {
      limiter.resume(key)
      if table.index(of: key) != nil { table.change(key) { $0.pausedUntil = 0 } }
    }

    // MARK: Waiters

    mutating func acquire(_ cost: Int, _ key: Int, as name: Int) -> String? {
      let room = table.room(for: [key])
      let expected = table.decision(cost, key, room)
      let (granted, refused) = (granted, refused)
      let acquisition = limiter.acquire(cost, for: key) { result in
        switch result {
        case .success: granted.withLock { _ = $0.insert(name) }
        case .failure(let error): refused.withLock { $0[name] = error }
        }
      }
      clock.runReady()
      places.append((name, acquisition))
      if expected.isAllowed {
        table.served.insert(name)
      } else if cost <= table.terms(key).burst, table.bucket(key, room) != nil {
        table.change(key) { $0.queue.append((name, cost)) }
        return nil
      }
      let error =
        cost > table.terms(key).burst
        ? AcquireError.exceedsBurst(cost: cost, burst: table.terms(key).burst)
        : .deadline(neededWait: expected.retryAfter)
      return difference(refused.withLock { $0[name] }, expected.isAllowed ? nil : error)
        ?? settle(expected.isAllowed, cost, [key])
    }

    mutating func withdraw(using random: inout SplitMix64) -> String? {
      guard let index = places.indices.randomElement(using: &random) else { return nil }
      let (name, acquisition) = places.remove(at: index)
      let isWaiting = table.withdraw(name)
      return difference(acquisition.cancel(), isWaiting)
    }

    // MARK: Comparing

    private func difference<Value: Equatable>(_ value: Value, _ expected: Value) -> String? {
      value == expected ? nil : "\(value), not \(expected)"
    }

    /// What differs between the counts, nil if nothing does.
    func countDifference() -> String? {
      let counts = limiter.statistics
      let expected = LimitStatistics(
        granted: table.granted, refused: table.refused, withdrawn: table.withdrawn,
        tokens: counts.tokens)
      let keys = limiter.keyCount
      guard (table.entries.count...table.maximum).contains(keys) else {
        return "\(keys) keys for \(table.entries.map { $0.key })"
      }
      return difference(counts, expected)
        ?? difference(limiter.forgottenCount, table.forgotten)
        ?? difference(limiter.waitingCount, table.waitingCount)
        ?? difference(granted.withLock { $0 }, table.served)
    }

    /// What differs between the levels, nil if nothing does.
    func levelDifference() -> String? {
      for key in 0..<keyCount {
        let room = table.room(for: [key])
        let expected = table.bucket(key, room)?.available ?? table.terms(key).burst
        if let difference = difference(limiter.available(for: key), expected) {
          return "key \(key): \(difference)"
        }
      }
      return nil
    }
  }

  static let policies: [WhenFull] = [.makeRoom, .refuse]

  @Test(
    "each decision, each level and each count is that of a list of exact levels",
    arguments: Soak.seeds(40), policies)
  func calls(seed: UInt64, whenFull: WhenFull) {
    run(seed, whenFull) { pair, _, random in
      Self.call(&pair, &random)
    }
  }

  @Test("keys with waiters or a pause stay, in any table", arguments: Soak.seeds(40), policies)
  func waiting(seed: UInt64, whenFull: WhenFull) {
    run(seed, whenFull) { pair, step, random in
      let key = Int.random(in: 0..<pair.keyCount, using: &random)
      let cost = Int.random(in: 0...pair.maximumCost, using: &random)
      switch Int.random(in: 0..<16, using: &random) {
      case 0...3: return pair.acquire(cost, key, as: step)
      case 4: return pair.withdraw(using: &random)
      case 5: return pair.pause(key, for: .random(in: 0...25, using: &random))
      case 6:
        pair.resume(key)
        return nil
      default: return Self.call(&pair, &random)
      }
    }
  }

  private static func call(_ pair: inout Pair, _ random: inout SplitMix64) -> String? {
    let keys = (0..<pair.keyCount).shuffled(using: &random)
    let cost = Int.random(in: 0...pair.maximumCost, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2: return pair.request(cost, keys[0])
    case 3: return pair.tryAcquire(cost, keys[0])
    case 4: return pair.look(cost, keys[0])
    case 5: return pair.take(cost, keys[0])
    case 6...8: return pair.request(cost, Array(keys.prefix(.random(in: 1...3, using: &random))))
    case 9...10: pair.penalize(cost, keys[0])
    default: pair.reset(keys[0])
    }
    return nil
  }

  private func run(
    _ seed: UInt64, _ whenFull: WhenFull,
    _ act: (inout Pair, _ step: Int, inout SplitMix64) -> String?
  ) {
    var random = SplitMix64(seed: seed)
    var pair = Pair(whenFull, using: &random)
    for step in 0..<200 {
      pair.wait([0, 0, 0, 1, 2, 5, 15].randomElement(using: &random)!)
      let answer = act(&pair, step, &random)
      pair.clock.runReady()
      let difference = answer ?? pair.countDifference()
      // A query may drop keys whose buckets are full, so there is not one at each step.
      let levels = Int.random(in: 0..<4, using: &random) == 0 ? pair.levelDifference() : nil
      #expect(difference ?? levels == nil, "seed \(seed), step \(step), \(whenFull)")
      guard difference ?? levels == nil else { return }
    }
  }

  @Test("at half of what the table refills, a newcomer forgets a debt in at most one of 256 cases")
  func half() {
    let clock = ManualClock()
    var random = SplitMix64(seed: 1)
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 4, maximumKeys: 2048, clock: clock)
    // A crowd makes the table as large as it may be.
    for key in 1...2048 { _ = limiter.tryAcquire(for: -key) }
    var newcomers = 0
    func arrive(_ count: Int) {
      for _ in 0..<count {
        let cost = Int.random(in: 1...4, using: &random)
        // For each key, 0.47 tokens per second.
        clock.advance(by: .microseconds(cost * 1_000_000 / 963))
        newcomers += 1
        #expect(limiter.tryAcquire(cost, for: newcomers))
      }
    }
    arrive(4_000)
    let before = limiter.forgottenCount
    let count = Soak.count(100_000)
    arrive(count)
    let forgotten = limiter.forgottenCount - before
    #expect(limiter.keyCount == 2048 && limiter.statistics.refused == 0)
    // About 60 of 25,000; the bound is more than four standard deviations away.
    #expect(forgotten <= count / 256, "\(forgotten) of \(count) forgot a debt")
  }
}
