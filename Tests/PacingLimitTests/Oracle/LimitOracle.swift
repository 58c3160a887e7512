import Pacing
import TestSupport

/// What a call costs, as the oracle reads it.
enum Bill: Sendable {
  case each(Int)
  case named([Limit.Name: Int])

  var costs: Costs {
    switch self {
    case .each(let cost): Costs(cost)
    case .named(let costs): Costs(costs)
    }
  }

  func amount(of name: Limit.Name?) -> Int {
    switch self {
    case .each(let cost): cost
    case .named(let costs): name.flatMap { costs[$0] } ?? 0
    }
  }
}

/// What became of a request.
enum Outcome: Equatable, Sendable {
  /// Granted: the instant from which it counts, and the one at which it was decided.
  case granted(counting: Int, on: Int)
  case refused(AcquireError.Reason)
}

/// A limit by its definition, as an oracle: it lives through every nanosecond, and computes neither
/// an instant nor a wait.
///
/// A bucket counts in twelfths of a token, of which a whole number accrues in each nanosecond. How
/// long a caller would wait is found by letting a copy live on until the caller is served.
struct LimitOracle {
  struct Waiter {
    var name: Int
    var bill: Bill
    var deadline: Int?
  }

  var parts: [OraclePart]
  private(set) var waiters = [Waiter]()
  private(set) var outcomes = [Int: Outcome]()
  private(set) var isClosed = false
  /// The bound, the order, which caller a full queue refuses, and how far back a grant may count.
  let maximumWaiters: Int
  let isNewestFirst: Bool
  let dropsOldest: Bool
  let catchUp: Int
  /// The last instant that was lived through, with all that was due served.
  private(set) var time = 0
  private(set) var pausedUntil = 0

  init(
    _ parts: [OraclePart], maximumWaiters: Int = .max, isNewestFirst: Bool = false,
    dropsOldest: Bool = false, catchUp: Int = 10_000_000
  ) {
    self.parts = parts
    self.maximumWaiters = maximumWaiters
    self.isNewestFirst = isNewestFirst
    self.dropsOldest = dropsOldest
    self.catchUp = catchUp
  }

  // MARK: Time

  /// Lives through the time until `now`, at which the queue is served late.
  mutating func live(until now: Int) {
    while time < now {
      // A waiter for one bucket is served within the nanosecond in which it fits.
      let isWithin = isExact && time >= pausedUntil && head.map { !fits($0.bill, now) } ?? false
      time += 1
      for index in parts.indices { parts[index].accrue() }
      if !isWithin { overflow() }
      serve(now, isPassing: true)
      overflow()
    }
  }

  private mutating func overflow() {
    for index in parts.indices { parts[index].overflow() }
  }

  /// Lives until `now` if a timer decides something then; otherwise no one looks at the queue, so
  /// that one behind a leaver may count from before.
  mutating func wake(at now: Int) {
    let before = waiters.count > 1 ? self : nil
    live(until: now)
    runTimers()
    if let before, before.outcomes.count == outcomes.count { self = before }
  }

  /// Refuses all whose time is over.
  mutating func runTimers() {
    for waiter in waiters where waiter.deadline.map({ $0 <= time }) ?? false {
      outcomes[waiter.name] = .refused(.deadline)
    }
    waiters.removeAll { outcomes[$0.name] != nil }
  }

  /// Serves those who fit at `time`, a moment that is lived through at `now`, and refuses a head of
  /// the queue whose time is over, though no timer has run.
  ///
  /// At its deadline a waiter is served by time that is passing, not by a change after it.
  private mutating func serve(_ now: Int, isPassing: Bool = false) {
    let isOpen = time >= max(pausedUntil, now - catchUp)
    while let head {
      let end = head.deadline ?? .max
      if isOpen, end > time || isPassing && end == time, time == now || !hasWindow(head.bill),
        fits(head.bill, now)
      {
        spend(head.bill, head.name, now)
        outcomes[head.name] = .granted(counting: time, on: now)
      } else if end <= time {
        outcomes[head.name] = .refused(.deadline)
      } else {
        break
      }
      waiters.remove(at: isNewestFirst ? waiters.count - 1 : 0)
    }
  }

  private var head: Waiter? { isNewestFirst ? waiters.last : waiters.first }

  private mutating func change(at now: Int, _ body: (inout LimitOracle) -> Void) {
    live(until: now)
    body(&self)
    if !isClosed { serve(now) }
  }

  // MARK: Parts

  private func fits(_ bill: Bill, _ now: Int) -> Bool {
    parts.allSatisfy { $0.fits($0.amount(bill), at: time) && $0.fits($0.amount(bill), at: now) }
  }

  private mutating func spend(_ bill: Bill, _ name: Int, _ now: Int) {
    for index in parts.indices {
      parts[index].spend(parts[index].amount(bill), of: name, at: now)
    }
  }

  /// Whether windows are charged, which record the real instant.
  private func hasWindow(_ bill: Bill) -> Bool {
    parts.contains { $0.isWindow && $0.amount(bill) > 0 }
  }

  func isFree(_ bill: Bill) -> Bool { parts.allSatisfy { $0.amount(bill) == 0 } }

  func isPossible(_ bill: Bill) -> Bool { parts.allSatisfy { $0.amount(bill) <= $0.capacity } }

  // MARK: Reckoning

  /// The wait of a new caller if all ahead of it are served and nothing else changes; nil for ever.
  ///
  /// A caller that does not join is behind all waiters.
  func reckon(_ bill: Bill, joins: Bool = true, freePermits: Bool = true) -> Int? {
    var copy = self
    copy.outcomes = [:]
    if freePermits { copy.parts.removeAll { $0.kind == .permits } }
    if joins, dropsOldest, maximumWaiters > 0, waiters.count >= maximumWaiters {
      copy.waiters.removeFirst()
    }
    for index in copy.waiters.indices { copy.waiters[index].deadline = nil }
    let place = isNewestFirst && !joins ? 0 : copy.waiters.count
    copy.waiters.insert(Waiter(name: -1, bill: bill), at: place)
    copy.serve(time)
    while copy.outcomes[-1] == nil {
      if copy.isStill { return nil }
      copy.live(until: copy.time + 1)
    }
    return copy.time - time
  }

  /// Whether time alone changes nothing any more.
  private var isStill: Bool { time >= pausedUntil && parts.allSatisfy { $0.isStill(at: time) } }

  /// Whether a reckoned wait is exact behind others: costs of one bucket add up.
  var isExact: Bool { parts.count == 1 && parts[0].isBucket }

  /// Whether a permit is free, or none is needed.
  var hasPermit: Bool { parts.allSatisfy { $0.kind != .permits || $0.level < $0.size } }

  // MARK: Verbs

  /// Lets a caller in, which waits, is served or is refused.
  ///
  /// The hint is what the library answered at once: a wait that is only a lower bound may let a
  /// caller wait that is refused at its deadline in the end.
  mutating func join(
    _ name: Int, _ bill: Bill, within timeout: Int?, at now: Int, hint: Outcome? = nil
  ) {
    live(until: now)
    if isClosed {
      outcomes[name] = .refused(.closed)
    } else if isFree(bill) {
      outcomes[name] = .granted(counting: now, on: now)
    } else if !isPossible(bill) {
      outcomes[name] = .refused(.exceedsBurst)
    } else if isNewestFirst || waiters.isEmpty, now >= pausedUntil, fits(bill, now) {
      spend(bill, name, now)
      outcomes[name] = .granted(counting: now, on: now)
    } else if let timeout, reckon(bill).map({ $0 > timeout }) ?? true,
      isExact || waiters.isEmpty || hint == .refused(.deadline)
    {
      outcomes[name] = .refused(.deadline)
    } else if timeout.map({ $0 <= 0 }) ?? false {
      outcomes[name] = .refused(.deadline)
    } else if waiters.count >= maximumWaiters, !dropsOldest || maximumWaiters == 0 {
      outcomes[name] = .refused(.queueIsFull)
    } else {
      if waiters.count >= maximumWaiters {
        outcomes[waiters.removeFirst().name] = .refused(.queueIsFull)
      }
      waiters.append(Waiter(name: name, bill: bill, deadline: timeout.map { now + $0 }))
      serve(now)
    }
  }

  /// A leaver wins over all that is not decided yet, although it was due.
  mutating func leave(_ name: Int, at now: Int) -> Bool {
    guard waiters.contains(where: { $0.name == name }) else { return false }
    var staying = self
    staying.live(until: now)
    // Those behind one that was due count as if it had not been; another has held them up.
    if case .granted? = staying.outcomes[name] {} else { self = staying }
    outcomes[name] = nil
    waiters.removeAll { $0.name == name }
    serve(now)
    live(until: now)
    return true
  }

  /// Whether a call that does not wait is granted; it is charged then.
  mutating func request(_ bill: Bill, as name: Int = -2, at now: Int) -> Bool {
    live(until: now)
    guard !isClosed else { return false }
    if isFree(bill) { return true }
    guard isPossible(bill), waiters.isEmpty, now >= pausedUntil, fits(bill, now) else {
      return false
    }
    spend(bill, name, now)
    return true
  }

  mutating func take(upTo count: Int, at now: Int) -> Int {
    live(until: now)
    guard !isClosed, waiters.isEmpty, now >= pausedUntil else { return 0 }
    let taken = max(0, min(count, available))
    spend(.each(taken), -2, now)
    return taken
  }

  var available: Int {
    parts.map { part in
      part.balance(at: time) - waiters.reduce(0) { $0 + part.amount($1.bill) }
    }.min()!
  }

  mutating func settle(_ name: Int, _ bill: Bill, as real: Bill, at now: Int) {
    change(at: now) { $0.correct(name, bill, as: real, at: now) }
  }

  private mutating func correct(_ name: Int, _ bill: Bill, as real: Bill, at now: Int) {
    for index in parts.indices where parts[index].kind != .permits {
      if case .named(let costs) = real, parts[index].name.flatMap({ costs[$0] }) == nil { continue }
      let missing = parts[index].amount(real) - parts[index].amount(bill)
      if missing > 0 { parts[index].spend(missing, of: name, at: now) }
      if missing < 0 { parts[index].giveBack(-missing, of: name, at: now) }
    }
  }

  mutating func cancelCharge(_ name: Int, _ bill: Bill, at now: Int) {
    change(at: now) { oracle in
      for index in oracle.parts.indices {
        oracle.parts[index].giveBack(oracle.parts[index].amount(bill), of: name, at: now)
      }
    }
  }

  mutating func release(at now: Int) {
    change(at: now) { oracle in
      for index in oracle.parts.indices where oracle.parts[index].kind == .permits {
        oracle.parts[index].level -= 1
      }
    }
  }

  mutating func add(_ bill: Bill, at now: Int) {
    change(at: now) { oracle in
      for index in oracle.parts.indices {
        oracle.parts[index].giveBack(oracle.parts[index].amount(bill), of: nil, at: now)
      }
    }
  }

  mutating func penalize(_ bill: Bill, at now: Int) {
    change(at: now) { $0.spend(bill, -2, now) }
  }

  /// Lowers the parts of a name to what a server says; false if there are none.
  mutating func lower(_ name: Limit.Name?, to rest: Int, next: Int, at now: Int) -> Bool {
    change(at: now) { oracle in
      for index in oracle.parts.indices where oracle.parts[index].name == name {
        oracle.parts[index].lower(to: rest, next: next, at: now)
      }
    }
    return parts.contains { $0.name == name }
  }

  mutating func drain(at now: Int) -> Int {
    live(until: now)
    let amounts = parts.map { max(0, $0.balance(at: now)) }
    for index in parts.indices {
      parts[index].spend(amounts[index], of: -2, at: now)
      // A fraction is no token, and is taken all the same.
      if parts[index].isBucket { parts[index].level = min(parts[index].level, 0) }
    }
    return amounts.min()!
  }

  mutating func pause(until end: Int, at now: Int) {
    change(at: now) { $0.pausedUntil = max($0.pausedUntil, end) }
  }

  mutating func resume(at now: Int) {
    change(at: now) { $0.pausedUntil = min($0.pausedUntil, now) }
  }

  mutating func reset(at now: Int, grid: Int? = nil) {
    change(at: now) { oracle in
      oracle.pausedUntil = min(oracle.pausedUntil, now)
      for index in oracle.parts.indices { oracle.parts[index].reset(at: now, grid: grid) }
    }
  }

  mutating func reconfigure(_ new: [OraclePart], at now: Int, grid: Int? = nil) {
    change(at: now) { oracle in
      var old = oracle.parts
      // Those that are the same stay, whatever comes before them.
      let same = new.map { part in
        old.firstIndex { part.name != nil && $0.hasSettings(of: part) }.map { old.remove(at: $0) }
      }
      oracle.parts = zip(new, same).map { part, same in
        if let same { return same.changed(to: part, at: now) }
        guard let match = old.firstIndex(where: { $0.name == part.name && $0.kind == part.kind })
        else { return part.unspent(at: now, grid: grid) }
        return old.remove(at: match).changed(to: part, at: now)
      }
      oracle.refuseImpossible()
    }
  }

  /// Replaces the parts by others, at levels of their own.
  mutating func replace(_ new: [OraclePart], at now: Int) {
    change(at: now) { oracle in
      oracle.parts = new
      oracle.refuseImpossible()
    }
  }

  private mutating func refuseImpossible() {
    for waiter in waiters where !isPossible(waiter.bill) {
      outcomes[waiter.name] = .refused(.exceedsBurst)
    }
    waiters.removeAll { outcomes[$0.name] != nil }
  }

  mutating func close(at now: Int) {
    live(until: now)
    isClosed = true
    for waiter in waiters { outcomes[waiter.name] = .refused(.closed) }
    waiters = []
  }
}
