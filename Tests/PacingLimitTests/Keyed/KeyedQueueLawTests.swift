import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("KeyedRateLimiter: the law of the queues")
struct KeyedQueueLawTests {
  @Test(
    "every key is served as a limit of its own that lives through time",
    arguments: [false, true], Soak.portions(2000))
  func programs(hasAnyLimits: Bool, seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var program = KeyedProgram(seed: seed, hasAnyLimits: hasAnyLimits)
      program.run(40)
      if let complaint = program.complaint {
        Issue.record("seed \(seed): \(complaint)\n\(program.log.joined(separator: "\n"))")
      }
    }
  }
}

/// A random program of calls for a few keys, made on a limiter and on an oracle for each key.
private struct KeyedProgram {
  private typealias Charge = KeyedRateLimiter<Int>.Charge

  private(set) var log = [String]()
  private(set) var complaint: String?
  private let clock = ManualClock()
  private let origin: PacingInstant
  private let limiter: KeyedRateLimiter<Int>
  /// The parts of each key: one bucket, or any limits.
  private let parts: Locked<[[OraclePart]]>
  private let hasAnyLimits: Bool
  private var oracles = [LimitOracle]()
  private let told = Locked([Int: Outcome]())
  private let charges = Locked([Int: Charge]())
  private var callers = [(key: Int, cost: Int, handle: Acquisition)]()
  /// The number of calls that the limiter counts, however they end.
  private var calls = 0
  private var random: SplitMix64

  init(seed: UInt64, hasAnyLimits: Bool) {
    var random = SplitMix64(seed: seed)
    origin = clock.now
    self.hasAnyLimits = hasAnyLimits
    let parts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      (0..<(hasAnyLimits ? Int.random(in: 1...3, using: &random) : 1)).map { _ in
        hasAnyLimits ? LimitProgram.part(using: &random) : Self.part(using: &random)
      }
    }
    let maximum = Bool.random(using: &random) ? Int.random(in: 0...3, using: &random) : nil
    let isNewestFirst = Int.random(in: 0..<3, using: &random) == 0
    let dropsOldest = Bool.random(using: &random)
    let catchUp = Int.random(in: 0...9, using: &random)
    let policy = QueuePolicy(
      maximumWaiters: maximum, newestFirst: isNewestFirst,
      whenFull: dropsOldest ? .makeRoom : .refuse, catchUp: .nanoseconds(catchUp))
    oracles = parts.map {
      LimitOracle(
        $0, maximumWaiters: maximum ?? .max, isNewestFirst: isNewestFirst,
        dropsOldest: dropsOldest, catchUp: catchUp)
    }
    let all = Locked(parts)
    self.parts = all
    limiter =
      hasAnyLimits
      ? KeyedRateLimiter(maximumKeys: 100, queue: policy, clock: clock) { key in
        all.withLock { $0[key].map(\.limit) }
      }
      : KeyedRateLimiter(maximumKeys: 100, queue: policy, clock: clock) { key in
        all.withLock { $0[key][0].quota }
      }
    log = ["\(parts.map { $0.map(\.text) }) \(policy)"]
    self.random = random
  }

  private static func part(using random: inout SplitMix64) -> OraclePart {
    .bucket(
      gain: Int.random(in: 1...12, using: &random), burst: Int.random(in: 1...6, using: &random))
  }

  private mutating func int(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private var now: Int { Self.nanoseconds(origin, clock.now) }

  private static func nanoseconds(_ origin: PacingInstant, _ instant: PacingInstant) -> Int {
    Int(origin.duration(to: instant).attoseconds / 1_000_000_000)
  }

  private mutating func note(_ text: String) { log.append("@\(now) \(text)") }

  private mutating func expect<Value: Equatable>(_ got: Value, _ wanted: Value, _ what: String) {
    guard got != wanted, complaint == nil else { return }
    complaint = "\(what): \(got), not \(wanted)"
  }

  // MARK: Running

  mutating func run(_ steps: Int) {
    for _ in 0..<steps where complaint == nil {
      step()
      clock.runReady()
      compare()
    }
    for key in oracles.indices { oracles[key].close(at: now) }
    note("close")
    limiter.close()
    clock.runReady()
    compare()
    expect(clock.pendingCount, 0, "timers")
  }

  private mutating func compare() {
    let outcomes = oracles.reduce(into: [:]) { all, oracle in
      all.merge(oracle.outcomes) { first, _ in first }
    }
    let told = told.withLock { $0 }
    for name in Set(outcomes.keys).union(told.keys).sorted() where told[name] != outcomes[name] {
      let (got, wanted) = (told[name], outcomes[name])
      expect("\(got as Any)", "\(wanted as Any)", "outcome of \(name)")
    }
    let waiting = oracles.reduce(0) { $0 + $1.waiters.count }
    let statistics = limiter.statistics
    expect(limiter.waitingCount, waiting, "waiting")
    expect(
      statistics.granted + statistics.refused + statistics.withdrawn + waiting, calls, "counted")
    expect(limiter.keyCount <= oracles.count, true, "keys")
  }

  private mutating func step() {
    let key = int(0...oracles.count - 1)
    switch int(0...29) {
    case 0...5: advance()
    case 6...7:
      let span = int(1...20)
      note("lapse \(span)")
      clock.lapse(by: .nanoseconds(span))
    case 8...15: acquire(key)
    case 16...17: leave()
    case 18...19: request(key)
    case 20: requestSeveral()
    case 21...22: giveBack()
    case 23: query(key)
    default: change(key)
    }
  }

  private mutating func advance() {
    let span = int(0...3) == 0 ? int(0...40) : int(0...6)
    note("advance \(span)")
    for key in oracles.indices {
      for instant in now...now + span { oracles[key].wake(at: instant) }
    }
    clock.advance(by: .nanoseconds(span))
  }

  // MARK: Calls

  private mutating func acquire(_ key: Int) {
    let (name, cost) = (callers.count, int(0...9) == 0 ? int(0...8) : int(1...3))
    let timeout = int(0...1) == 0 ? nil : int(0...1) == 0 ? int(0...5) : int(0...40)
    note("acquire \(name): \(cost) for \(key) within \(timeout.map { "\($0)" } ?? "ever")")
    calls += 1
    let (clock, origin, told, charges) = (clock, origin, told, charges)
    oracles[key].live(until: now)
    let (isAlone, reckoned) = (oracles[key].waiters.isEmpty, oracles[key].reckon(.each(cost)))
    let handle = limiter.acquire(
      cost, for: key, within: timeout.map { .nanoseconds($0) }
    ) { result in
      switch result {
      case .success(let charge):
        charges.withLock { $0[name] = charge }
        let counting = Self.nanoseconds(origin, charge.instant)
        let on = Self.nanoseconds(origin, clock.now)
        told.withLock { $0[name] = .granted(counting: counting, on: on) }
      case .failure(let error): told.withLock { $0[name] = .refused(error.reason) }
      }
    }
    callers.append((key, cost, handle))
    clock.runReady()
    oracles[key].join(
      name, .each(cost), within: timeout, at: now, hint: told.withLock { $0[name] })
    guard oracles[key].waiters.contains(where: { $0.name == name }) else { return }
    let expected = handle.expectedWait.map { Int($0.attoseconds / 1_000_000_000) }
    if oracles[key].isExact || isAlone {
      expect(expected, reckoned, "expected wait of \(name)")
    } else if let expected, let reckoned {
      expect(expected <= reckoned, true, "expected wait \(expected) of \(name) at most \(reckoned)")
    }
  }

  private mutating func leave() {
    guard let name = callers.indices.randomElement(using: &random) else { return }
    note("leave \(name)")
    let left = callers[name].handle.cancel()
    expect(left, oracles[callers[name].key].leave(name, at: now), "left \(name)")
    // One that had waited serves the others although it was decided.
    if !left { query(callers[name].key) }
  }

  private mutating func request(_ key: Int) {
    let cost = int(0...4)
    oracles[key].live(until: now)
    let before = oracles[key]
    switch int(0...3) {
    case 0:
      note("tryAcquire \(cost) for \(key)")
      calls += 1
      let isAllowed = limiter.tryAcquire(cost, for: key)
      expect(isAllowed, oracles[key].request(.each(cost), at: now), "allowed")
    case 1:
      note("request \(cost) for \(key)")
      calls += 1
      let decision = limiter.request(cost, for: key)
      let isAllowed = oracles[key].request(.each(cost), at: now)
      compare(decision, isAllowed, cost, before)
    case 2:
      note("peek \(cost) for \(key)")
      var after = before
      compare(limiter.peek(cost, for: key), after.request(.each(cost), at: now), cost, before)
    default:
      note("take \(cost) for \(key)")
      let taken = oracles[key].take(upTo: cost, at: now)
      if taken > 0 { calls += 1 }
      expect(limiter.take(upTo: cost, for: key), taken, "taken")
    }
  }

  private mutating func compare(
    _ decision: Decision, _ isAllowed: Bool, _ cost: Int, _ before: LimitOracle
  ) {
    expect(decision.isAllowed, isAllowed, "allowed")
    let isPossible = before.isPossible(.each(cost))
    expect(decision.isPossible, isPossible, "possible")
    let wait = isPossible ? before.reckon(.each(cost), joins: false) : nil
    let told = decision.retryAfter.map { Int($0.attoseconds / 1_000_000_000) }
    if isAllowed || before.isExact || before.waiters.isEmpty {
      expect(told, isAllowed ? 0 : wait, "retryAfter")
    } else if let told, let wait {
      expect(told <= wait, true, "retryAfter \(told) at most \(wait)")
    } else {
      expect(wait, nil, "retryAfter")
    }
  }

  /// All of the keys are charged, or none.
  private mutating func requestSeveral() {
    let keys = (0..<int(1...3)).map { _ in int(0...oracles.count - 1) }
    let cost = int(0...3)
    note("request \(cost) for \(keys)")
    calls += 1
    let answer = limiter.request(cost, for: keys)
    var after = oracles
    var isAllowed = true
    for key in Set(keys) {
      oracles[key].live(until: now)
      after[key].live(until: now)
      isAllowed = after[key].request(.each(cost), at: now) && isAllowed
    }
    expect(answer.decision.isAllowed, isAllowed, "allowed")
    if isAllowed { oracles = after }
  }

  private mutating func giveBack() {
    let charge = charges.withLock { charges in
      charges.keys.sorted().randomElement(using: &random).flatMap { name in
        charges.removeValue(forKey: name).map { (name, $0) }
      }
    }
    guard let (name, charge) = charge else { return }
    let (cost, real) = (callers[name].cost, int(0...6))
    expect(charge.key == callers[name].key && charge.costs == Costs(cost), true, "charge")
    if int(0...4) == 0 {
      note("cancel \(name)")
      charge.cancel()
      oracles[charge.key].cancelCharge(name, .each(cost), at: now)
    } else {
      note("settle \(name) as \(real)")
      expect(charge.settle(real), true, "settled")
      oracles[charge.key].settle(name, .each(cost), as: .each(real), at: now)
    }
  }

  // MARK: Changes

  private mutating func query(_ key: Int) {
    note("available for \(key)")
    oracles[key].live(until: now)
    expect(limiter.available(for: key), oracles[key].available, "available")
  }

  private mutating func change(_ key: Int) {
    switch int(0...5) {
    case 0:
      let cost = int(0...4)
      note("penalize \(key) \(cost)")
      expect(limiter.penalize(cost, for: key), true, "penalized")
      oracles[key].penalize(.each(cost), at: now)
    case 1, 2:
      let span = int(0...20)
      note("pause \(key) \(span)")
      expect(limiter.pause(key, for: .nanoseconds(span)), span > 0, "paused")
      if span > 0 { oracles[key].pause(until: now + span, at: now) }
    case 3:
      note("resume \(key)")
      limiter.resume(key)
      oracles[key].resume(at: now)
    case 4:
      note("reset \(key)")
      limiter.reset(key)
      dropCharges()
      oracles[key].reset(at: now, grid: 0)
    default: hasAnyLimits ? changeLimits(key) : changeQuota(key)
    }
  }

  /// Whether a charge of this instant came before a reset or a new part, its instant does not tell.
  private func dropCharges() {
    let now = clock.now
    charges.withLock { charges in charges = charges.filter { $0.value.instant != now } }
  }

  /// Parts are matched by name; a key of which nothing counts any more begins again.
  private mutating func changeLimits(_ key: Int) {
    query(key)
    let new = LimitProgram.changed(oracles[key].parts, using: &random)
    note("limits \(key) \(new.map(\.text))")
    parts.withLock { $0[key] = new }
    dropCharges()
    _ = limiter.available(for: key)
    if oracles[key].parts.allSatisfy({ $0.isAtRest(at: now) }) {
      oracles[key].replace(new.map { $0.unspent(at: now, grid: 0) }, at: now)
    } else {
      oracles[key].reconfigure(new, at: now, grid: 0)
    }
  }

  /// A key whose quota changes keeps the instant at which it is full.
  private mutating func changeQuota(_ key: Int) {
    query(key)
    let old = oracles[key].parts[0]
    var new = Self.part(using: &random)
    let missing = old.size * OraclePart.token - old.level
    // Other levels are no whole number of the parts that the oracle counts.
    guard missing.isMultiple(of: old.gain) else { return }
    note("quota \(key) \(new.text)")
    parts.withLock { $0[key] = [new] }
    _ = limiter.available(for: key)
    new.level = new.size * OraclePart.token - missing / old.gain * new.gain
    oracles[key].replace([new], at: now)
  }
}

extension OraclePart {
  fileprivate var quota: Quota { Quota(rate: rate, burst: size) }
}
