import Pacing
import PacingTesting
import TestSupport
import Testing

/// A random program of calls, made on a limit and on its oracle.
struct LimitProgram {
  var random: SplitMix64
  let subject: LimitSubject
  var oracle: LimitOracle
  let clock = ManualClock()
  private let origin: PacingInstant
  /// What the completions were told, each at its instant.
  private let told = Locked([Int: Outcome]())
  private let spent = Locked([Int: LimitSubject.Spent]())
  private var bills = [Int: Bill]()
  private var handles = [Int: Acquisition]()
  private var settled = Set<Int>()
  private var count = 0
  /// The program so far, and what went differently.
  private(set) var log = [String]()
  private(set) var complaint: String?

  // MARK: Settings

  init(seed: UInt64, kind: Int) {
    var random = SplitMix64(seed: seed)
    let clock = clock
    origin = clock.now
    let parts = Self.parts(kind: kind, using: &random)
    let isAlone = parts.count == 1 && parts[0].isBucket
    let maximum = Bool.random(using: &random) ? Int.random(in: 0...4, using: &random) : nil
    let isNewestFirst = Int.random(in: 0..<3, using: &random) == 0
    let dropsOldest = Bool.random(using: &random)
    // Waiters do not share wakes if less than two tokens accrue in a tenth of it.
    let catchUp =
      isAlone && Bool.random(using: &random)
      ? 10_000_000 : Int.random(in: 0...9, using: &random)
    oracle = LimitOracle(
      parts, maximumWaiters: maximum ?? .max, isNewestFirst: isNewestFirst,
      dropsOldest: dropsOldest, catchUp: catchUp)
    let queue = QueuePolicy(
      maximumWaiters: maximum, newestFirst: isNewestFirst,
      whenFull: dropsOldest ? .makeRoom : .refuse, catchUp: .nanoseconds(catchUp))
    switch kind {
    case 0:
      let initial = Int.random(in: 0...parts[0].size, using: &random)
      oracle.parts[0].level = initial * OraclePart.token
      subject = .bucket(
        TokenBucket(
          rate: parts[0].rate, burst: parts[0].size, initial: initial,
          allowsOverdraft: parts[0].kind == .nextPays, queue: queue, clock: clock))
    case 1: subject = .limiter(RateLimiter(parts.map(\.limit), queue: queue, clock: clock))
    default:
      subject = .permits(
        ConcurrencyLimit(
          parts[0].size, limitedBy: parts.dropFirst().map(\.limit), queue: queue, clock: clock))
    }
    self.random = random
    log = ["\(oracle.parts.map(\.text)) \(queue)"]
  }

  private static func parts(kind: Int, using random: inout SplitMix64) -> [OraclePart] {
    switch kind {
    case 0:
      return [
        .bucket(
          gain: Int.random(in: 0...12, using: &random),
          burst: Int.random(in: 1...6, using: &random),
          nextPays: Int.random(in: 0..<4, using: &random) == 0)
      ]
    case 1: return (0..<Int.random(in: 1...3, using: &random)).map { _ in part(using: &random) }
    default:
      return [.permits(Int.random(in: 1...3, using: &random))]
        + (0..<Int.random(in: 0...2, using: &random)).map { _ in part(using: &random) }
    }
  }

  static func part(using random: inout SplitMix64) -> OraclePart {
    let names: [Limit.Name?] = [nil, "a", "b", "c"]
    let name = names.randomElement(using: &random)!
    // In a large window many events have left that are still stored.
    let isLarge = Int.random(in: 0..<4, using: &random) == 0
    let size = Int.random(in: isLarge ? 6...30 : 1...5, using: &random)
    let length = Int.random(in: 1...(isLarge ? 60 : 20), using: &random)
    return switch Int.random(in: 0..<6, using: &random) {
    case 0: .window(.sliding, name, size, per: length)
    case 1: .window(.fixed, name, size, per: length)
    case 2: .window(.grid, name, size, per: length)
    default: .bucket(name, gain: [1, 2, 3, 4, 6, 12].randomElement(using: &random)!, burst: size)
    }
  }

  /// The parts with other settings, in another order, one less or one more.
  static func changed(_ parts: [OraclePart], using random: inout SplitMix64) -> [OraclePart] {
    func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    var (parts, other) = (parts, part(using: &random))
    // Windows of both starts are of one kind, and a grid keeps its length: which is which would be
    // a matter of order.
    let kinds = (parts + [other]).map(\.kind)
    let grids = kinds.count { $0 == .grid }
    if grids == 0 || !kinds.contains(.fixed) && grids == 1 {
      if int(0...2) == 0 { parts.shuffle(using: &random) }
      if parts.count > 1, int(0...4) == 0 { parts.removeLast() }
      if parts.count < 3, int(0...4) == 0 { parts.append(other) }
    }
    for index in parts.indices {
      parts[index].size = int(1...5)
      if !parts[index].isBucket, parts[index].kind != .grid, int(0...2) == 0 {
        parts[index].length = int(1...20)
      }
    }
    return parts
  }

  private mutating func int(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func bill() -> Bill {
    let most =
      switch int(0...9) {
      case 0: 7
      case 1: 25
      default: 3
      }
    let names = Set(oracle.parts.compactMap(\.name))
    guard !names.isEmpty, int(0...1) == 0 else { return .each(int(0...most)) }
    var costs = [Limit.Name: Int]()
    for name in names.sorted(by: { $0.description < $1.description }) where int(0...3) > 0 {
      costs[name] = int(0...most)
    }
    return .named(costs)
  }

  // MARK: Running

  var now: Int { Self.nanoseconds(origin, clock.now) }

  private static func nanoseconds(_ origin: PacingInstant, _ instant: PacingInstant) -> Int {
    Int(origin.duration(to: instant).attoseconds / 1_000_000_000)
  }

  mutating func run(_ steps: Int) {
    for _ in 0..<steps where complaint == nil {
      step()
      clock.runReady()
      compareOutcomes()
    }
  }

  private mutating func compareOutcomes() {
    let told = told.withLock { $0 }
    for (name, outcome) in oracle.outcomes.sorted(by: { $0.key < $1.key })
    where told[name] != outcome && !agree(told[name], outcome) {
      expect(told[name].map { "\($0)" } ?? "nothing", "\(outcome)", "outcome of \(name)")
    }
    if told.count != oracle.outcomes.count {
      expect(told.count, oracle.outcomes.count, "decided")
    }
  }

  /// Waiters that share wakes are served later, and a permit does not tell from when it counts.
  private func agree(_ told: Outcome?, _ outcome: Outcome) -> Bool {
    guard case .granted(let counting, let on)? = told,
      case .granted(let expected, let expectedOn) = outcome
    else { return false }
    if case .permits = subject { return on == expectedOn }
    return counting == expected && (on == expectedOn || oracle.catchUp > 9)
  }

  private mutating func expect<Value: Equatable>(_ got: Value, _ wanted: Value, _ what: String) {
    guard got != wanted, complaint == nil else { return }
    complaint = "\(what): \(got), not \(wanted)"
  }

  private mutating func note(_ text: String) { log.append("@\(now) \(text)") }

  private var tool: (any LimitingTool)? { subject.tool }

  private mutating func step() {
    switch int(0...29) {
    case 0...5: advance()
    case 6...7:
      let span = int(1...20)
      note("lapse \(span)")
      clock.lapse(by: .nanoseconds(span))
    case 8...14: acquire()
    case 15...16: leave()
    case 17...19: request()
    case 20...22: giveBack()
    case 23: query()
    default: change()
    }
  }

  private mutating func advance() {
    let span = int(0...3) == 0 ? int(0...40) : int(0...6)
    note("advance \(span)")
    clock.advance(by: .nanoseconds(span))
    for instant in now - span...now { oracle.wake(at: instant) }
  }

  // MARK: Calls

  private mutating func acquire() {
    let (name, bill) = (count, bill())
    count += 1
    bills[name] = bill
    let timeout = int(0...1) == 0 ? nil : int(0...1) == 0 ? int(0...5) : int(0...40)
    note("acquire \(name): \(bill) within \(timeout.map { "\($0)" } ?? "ever")")
    let (clock, origin, told, spent) = (clock, origin, told, spent)
    oracle.live(until: now)
    let (isAlone, hasPermit) = (oracle.waiters.isEmpty, oracle.hasPermit)
    let reckoned = oracle.reckon(bill)
    let handle = subject.acquire(bill.costs, within: timeout, clock: clock) { result in
      switch result {
      case .success(let (spending, instant)):
        spent.withLock { $0[name] = spending }
        let (counting, on) = (
          Self.nanoseconds(origin, instant), Self.nanoseconds(origin, clock.now)
        )
        told.withLock { $0[name] = .granted(counting: counting, on: on) }
      case .failure(let error): told.withLock { $0[name] = .refused(error.reason) }
      }
    }
    handles[name] = handle
    clock.runReady()
    oracle.join(name, bill, within: timeout, at: now, hint: told.withLock { $0[name] })
    guard oracle.waiters.contains(where: { $0.name == name }) else { return }
    let expected = handle.expectedWait.map { Int($0.attoseconds / 1_000_000_000) }
    if oracle.isExact || isAlone {
      expect(expected, hasPermit ? reckoned : nil, "expected wait of \(name)")
    } else if let expected, let reckoned {
      expect(expected <= reckoned, true, "expected wait \(expected) of \(name) at most \(reckoned)")
    }
  }

  private mutating func leave() {
    guard count > 0 else { return }
    let name = int(0...3) > 0 ? oracle.waiters.randomElement(using: &random)?.name : nil
    let leaving = name ?? int(0...count - 1)
    note("leave \(leaving)")
    let left = handles[leaving]?.cancel() ?? false
    expect(left, oracle.leave(leaving, at: now), "left \(leaving)")
    // One that had waited serves the others although it was decided.
    if !left { query() }
  }

  private mutating func request() {
    let bill = bill()
    if case .permits(let limit) = subject {
      let name = count
      count += 1
      bills[name] = bill
      note("tryAcquire \(name): \(bill)")
      let permit = limit.tryAcquire(bill.costs)
      expect(permit != nil, oracle.request(bill, as: name, at: now), "tryAcquire")
      if let permit { spent.withLock { $0[name] = .permit(permit) } }
      return
    }
    guard let tool else { return }
    switch int(0...3) {
    case 0:
      note("tryAcquire \(bill)")
      let isGranted: Bool
      if case .each(let cost) = bill {
        isGranted = tool.tryAcquire(cost)
      } else {
        isGranted = tool.tryAcquire(bill.costs)
      }
      expect(isGranted, oracle.request(bill, at: now), "tryAcquire")
    case 1:
      note("request \(bill)")
      let decision: Decision
      if case .each(let cost) = bill {
        decision = tool.request(cost)
      } else {
        decision = tool.request(bill.costs)
      }
      oracle.live(until: now)
      let before = oracle
      compare(decision, oracle.request(bill, at: now), bill, before, oracle)
    case 2:
      note("peek \(bill)")
      let decision = tool.peek(bill.costs)
      oracle.live(until: now)
      var after = oracle
      compare(decision, after.request(bill, at: now), bill, oracle, after)
    default:
      note("requestEach \(bill)")
      let decisions = tool.requestEach(bill.costs)
      if !oracle.isClosed { expect(decisions.count, oracle.parts.count, "answers") }
      oracle.live(until: now)
      expect(
        decisions.allSatisfy(\.isAllowed) && !oracle.isClosed, oracle.request(bill, at: now),
        "each allowed")
    }
  }

  private mutating func compare(
    _ decision: Decision, _ isAllowed: Bool, _ bill: Bill, _ before: LimitOracle,
    _ after: LimitOracle
  ) {
    expect(decision.isAllowed, isAllowed, "allowed")
    guard !before.isClosed else { return }
    expect(decision.isPossible, before.isPossible(bill), "possible")
    let isPaused = before.pausedUntil > now
    if before.waiters.isEmpty, !isPaused {
      expect(decision.remaining, max(0, after.available), "remaining")
    }
    let wait = decision.retryAfter.map { Int($0.attoseconds / 1_000_000_000) }
    if isAllowed {
      expect(wait, 0, "retryAfter")
    } else if !before.isPossible(bill) {
      expect(wait, nil, "retryAfter")
    } else {
      let reckoned = before.reckon(bill, joins: false)
      if before.isExact || before.waiters.isEmpty {
        expect(wait, reckoned, "retryAfter")
      } else if let wait, let reckoned {
        expect(wait <= reckoned, true, "retryAfter \(wait) at most \(reckoned)")
      } else {
        expect(reckoned == nil, true, "retryAfter")
      }
    }
    compareReset(decision, after)
    compareName(decision, bill, before)
  }

  /// Compares when a limit of one part, for which nobody waits, is as good as new.
  private mutating func compareReset(_ decision: Decision, _ after: LimitOracle) {
    guard after.parts.count == 1, after.waiters.isEmpty else { return }
    var (rest, span) = (after, 0)
    while !rest.parts[0].isStill(at: rest.time) {
      rest.live(until: rest.time + 1)
      span += 1
    }
    guard after.parts[0].gain > 0 || !after.parts[0].isBucket else { return }
    expect(Int(decision.resetAfter.attoseconds / 1_000_000_000), span, "resetAfter")
  }

  /// Compares the part that refuses with the one that would refuse the longest alone.
  private mutating func compareName(_ decision: Decision, _ bill: Bill, _ before: LimitOracle) {
    guard case .limiter(let limiter) = subject, !decision.isAllowed, before.waiters.isEmpty,
      before.pausedUntil <= now, before.isPossible(bill)
    else { return }
    let waits = before.parts.map { part in
      var alone = before
      alone.parts = [part]
      return alone.reckon(bill) ?? .max
    }
    let longest = waits.max()!
    guard waits.count(where: { $0 == longest }) == 1 else { return }
    let limit = limiter.limits[waits.firstIndex(of: longest)!]
    expect(decision.refusedBy?.description, limit.description, "refusedBy")
  }

  private mutating func giveBack() {
    guard
      let (name, spending) = spent.withLock({ $0 }).sorted(by: { $0.key < $1.key })
        .randomElement(using: &random), let bill = bills[name]
    else { return }
    let isInteger = if case .each = bill { true } else { false }
    let real: Bill = isInteger && int(0...1) == 0 ? .each(int(0...5)) : namedBill()
    let isKept = if case .permit = spending { int(0...3) == 0 } else { false }
    if !isKept { spent.withLock { $0[name] = nil } }
    switch spending {
    case .permit(let permit) where isKept:
      guard settled.insert(name).inserted else { return }
      note("settle \(name) as \(real)")
      permit.settle(real.costs)
      oracle.settle(name, bill, as: real, at: now)
    case .permit(let permit):
      note("release \(name)")
      permit.release()
      oracle.release(at: now)
    case .charge(let charge):
      if int(0...1) == 0 {
        note("cancel \(name)")
        charge.cancel()
        oracle.cancelCharge(name, bill, at: now)
      } else {
        note("settle \(name) as \(real)")
        charge.settle(real.costs)
        oracle.settle(name, bill, as: real, at: now)
      }
    }
  }

  private mutating func namedBill() -> Bill {
    var costs = [Limit.Name: Int]()
    let names = Set(oracle.parts.compactMap(\.name))
    for name in names.sorted(by: { $0.description < $1.description }) where int(0...2) > 0 {
      costs[name] = int(0...5)
    }
    return .named(costs)
  }

  // MARK: Changes

  private mutating func query() {
    guard !oracle.isClosed else { return }
    note("available")
    oracle.live(until: now)
    if case .permits(let limit) = subject {
      let held = oracle.parts[0].level
      expect(limit.heldCount, held, "held")
      let free = oracle.parts[0].size - held
      expect(limit.available, free - oracle.waiters.count, "available")
    } else {
      expect(tool!.available, oracle.available, "available")
    }
    expect(subject.waitingCount, oracle.waiters.count, "waiting")
  }

  private mutating func change() {
    let choice = int(0...39)
    if choice == 0 {
      note("close")
      subject.close()
      oracle.close(at: now)
      return
    }
    if choice < 8 { return reconfigure() }
    guard let tool else { return }
    switch choice {
    case 8...12:
      let bill = bill()
      note("add \(bill)")
      tool.add(bill.costs)
      oracle.add(bill, at: now)
    case 13, 16...17:
      let bill = bill()
      note("penalize \(bill)")
      tool.penalize(bill.costs)
      oracle.penalize(bill, at: now)
    case 14...15:
      let names = oracle.parts.map(\.name) + ["none of them"]
      let name = names.randomElement(using: &random)!
      let (rest, wait) = (int(-1...4), int(0...2) == 0 ? nil : int(-1...30))
      note("correct \(name?.description ?? "the unnamed"): \(rest) left, reset after \(wait ?? 0)")
      let isFound = tool.correct(
        name, remaining: rest, resetAfter: wait.map { .nanoseconds($0) })
      let next = now + max(0, wait ?? 0)
      expect(isFound, oracle.lower(name, to: max(0, rest), next: next, at: now), "corrected")
    case 18...19:
      note("drain")
      expect(tool.drain(), oracle.drain(at: now), "drained")
    case 20...25:
      let count = int(0...6)
      note("take \(count)")
      expect(tool.take(upTo: count), oracle.take(upTo: count, at: now), "taken")
    case 26...31:
      let span = int(0...20)
      note("pause \(span)")
      tool.pause(for: .nanoseconds(span))
      oracle.pause(until: now + span, at: now)
    case 32...36:
      note("resume")
      tool.resume()
      oracle.resume(at: now)
    default:
      note("reset")
      tool.reset()
      dropCharges()
      oracle.reset(at: now)
    }
  }

  /// Whether a charge of this instant came before a reset or a new part, its instant does not tell.
  private func dropCharges() {
    let now = now
    let told = told.withLock { $0 }
    spent.withLock { spent in
      spent = spent.filter { if case .granted(now, _)? = told[$0.key] { false } else { true } }
    }
  }

  private mutating func reconfigure() {
    var parts = oracle.parts
    switch subject {
    case .bucket(let bucket):
      parts[0].size = int(1...6)
      if int(0...1) == 0 { parts[0].gain = int(0...12) }
      note("reconfigure \(parts[0].limit)")
      bucket.reconfigure(rate: parts[0].rate, burst: parts[0].size)
    case .permits(let limit):
      parts[0].size = int(1...4)
      note("reconfigure \(parts[0].size)")
      limit.reconfigure(parts[0].size)
    case .limiter(let limiter):
      parts = Self.changed(parts, using: &random)
      // A waiter that costs nothing any more is for a test of its own.
      guard
        !oracle.waiters.contains(where: { waiter in
          parts.allSatisfy { $0.amount(waiter.bill) == 0 }
        })
      else { return }
      note("reconfigure \(parts.map(\.text))")
      limiter.reconfigure(parts.map(\.limit))
      dropCharges()
    }
    oracle.reconfigure(parts, at: now)
  }
}
