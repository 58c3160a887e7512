/// The parts of a limit, and the costs that wait ahead of a new caller, as a pure value.
///
/// A call is charged on all parts or on none. Nothing is predicted after the call: the bound of a
/// wait is one expression for each part, reckoned as if all ahead are served.
package struct LimitState {
  private struct Entry {
    var part: LimitPart
    /// Nil for permits, and in a ``TokenBucket``.
    var limit: Limit?
    /// The sum of the costs of the waiters.
    var ahead: Int128 = 0

    var isPermits: Bool { if case .permits = part { true } else { false } }

    /// The cost of a call; a call takes one permit.
    func cost(_ costs: Costs) -> Int { isPermits ? 1 : costs.amount(of: limit?.name) }
  }

  /// When a cost fits.
  struct Fit {
    /// The earliest instant, permits aside, which may be in the past; the distant future for none.
    var instant: PacingInstant
    /// Whether a permit must come back first.
    var needsPermit = false
    /// Whether a grant counts from the call or wake, since a window records it.
    var isRecorded = false

    func isDue(at now: PacingInstant) -> Bool {
      !needsPermit && instant <= now && instant != .distantFuture
    }
  }

  /// The only part of a ``TokenBucket``, which has no entries: a call without waiters asks this
  /// alone, and copies nothing.
  var bucket: BucketLevel?
  private var bucketAhead: Int128 = 0
  private var entries = [Entry]()

  /// The latest instant seen; an earlier one counts as this one.
  private(set) var latest: PacingInstant
  /// Nothing is granted before this instant.
  private(set) var pausedUntil = PacingInstant.distantPast

  init(_ bucket: BucketLevel, at now: PacingInstant) {
    self.bucket = bucket
    latest = now
  }

  /// - Precondition: `limits` is not empty.
  init(_ limits: [Limit], at now: PacingInstant) {
    Self.require(limits)
    latest = now
    entries = limits.map { Entry(part: LimitPart($0, at: now), limit: $0) }
  }

  /// - Precondition: `permits` is positive.
  init(permits: Int, _ limits: [Limit], at now: PacingInstant) {
    Self.requirePermits(permits)
    latest = now
    entries =
      [Entry(part: .permits(Permits(permits)), limit: nil)]
      + limits.map { Entry(part: LimitPart($0, at: now), limit: $0) }
  }

  private static func require(_ limits: [Limit]) {
    ConfigurationError.require(!limits.isEmpty, "limits", "none", must: "be one or several")
  }

  private static func requirePermits(_ count: Int) {
    ConfigurationError.require(count > 0, "count", count, must: "be positive")
  }

  @inline(__always)
  mutating func advance(to now: PacingInstant) {
    if latest < now { latest = now }
  }

  // MARK: Parts

  private var count: Int { bucket == nil ? entries.count : 1 }

  private subscript(index: Int) -> Entry {
    bucket.map { Entry(part: .bucket($0), ahead: bucketAhead) } ?? entries[index]
  }

  /// Changes each part, in place.
  private mutating func forEach(_ body: (inout Entry) -> Void) {
    guard bucket != nil else {
      for index in entries.indices { body(&entries[index]) }
      return
    }
    var entry = self[0]
    body(&entry)
    if case .bucket(let level) = entry.part { bucket = level }
    bucketAhead = entry.ahead
  }

  /// The limits in force, without permits.
  var limits: [Limit] { entries.compactMap { $0.limit } }

  /// The permits; nil if the limit has none.
  var permits: Permits? {
    if case .permits(let permits)? = entries.first?.part { permits } else { nil }
  }

  // MARK: Costs

  /// - Precondition: The limit has a part for each name.
  func require(_ costs: Costs) {
    guard case .named(let named) = costs.kind else { return }
    for name in named.keys {
      ConfigurationError.require(
        entries.contains { $0.limit?.name == name }, "costs", name,
        must: "be the name of a part of the limit")
    }
  }

  /// Whether a call costs nothing, which is always granted.
  func isFree(_ costs: Costs) -> Bool {
    (0..<count).allSatisfy { self[$0].cost(costs) == 0 }
  }

  /// The first cost that exceeds what its part can ever hold.
  func excess(_ costs: Costs) -> AcquireError? {
    for index in 0..<count {
      let (cost, capacity) = (self[index].cost(costs), self[index].part.capacity)
      if cost > capacity { return .exceedsBurst(cost: cost, burst: capacity) }
    }
    return nil
  }

  /// The costs, or if the limit can never hold them the most that it can, for a stream.
  func cut(_ cost: Int) -> Int {
    (0..<count).reduce(cost) {
      self[$1].isPermits ? $0 : min($0, self[$1].part.capacity)
    }
  }

  /// When a call's costs fit, alone or behind all waiters.
  func fit(_ costs: Costs, behindWaiters isBehind: Bool) -> Fit {
    let start = max(latest, pausedUntil)
    var fit = Fit(instant: pausedUntil)
    for index in 0..<count {
      let entry = self[index]
      let (cost, ahead) = (entry.cost(costs), isBehind ? entry.ahead : 0)
      guard cost > 0 || ahead > 0 else { continue }
      let instant = entry.part.earliest(for: cost, behind: ahead, from: start)
      if entry.isPermits {
        fit.needsPermit = instant > latest
      } else {
        fit.instant = max(fit.instant, instant)
        fit.isRecorded = fit.isRecorded || cost > 0 && entry.part.isWindow
      }
    }
    return fit
  }

  /// Whether all parts hold a call's costs now.
  func holds(_ costs: Costs) -> Bool {
    fit(costs, behindWaiters: false).isDue(at: latest)
  }

  /// Notes a waiter's costs, or those of one that has left the queue.
  mutating func wait(_ costs: Costs, isLeaving: Bool = false) {
    let sign: Int128 = isLeaving ? -1 : 1
    forEach { $0.ahead += sign * Int128($0.cost(costs)) }
  }

  // MARK: Decisions

  /// The answer to a call, whose costs have been spent if it is allowed and `isSpent`.
  func decision(_ costs: Costs, hasWaiters: Bool, isSpent: Bool) -> Decision {
    let start = start(hasWaiters: hasWaiters)
    var sum: Decision?
    for index in 0..<count {
      let one = decision(costs, index, from: start, isSpent: isSpent)
      sum = sum.map { $0.combined(with: one) } ?? one
    }
    return sum ?? .closed
  }

  /// The answer of each part on its own.
  func decisions(_ costs: Costs, hasWaiters: Bool, isSpent: Bool) -> [Decision] {
    let start = start(hasWaiters: hasWaiters)
    return (0..<count).map { decision(costs, $0, from: start, isSpent: isSpent) }
  }

  /// The instant before which no call is allowed: the end of a pause, and when all waiters are
  /// served.
  private func start(hasWaiters: Bool) -> PacingInstant {
    let start = max(latest, pausedUntil)
    guard hasWaiters else { return start }
    // A part without waiters delays no call, whatever it is owed.
    return (0..<count).reduce(start) {
      let entry = self[$1]
      guard entry.ahead > 0 else { return $0 }
      return max($0, entry.part.earliest(for: 0, behind: entry.ahead, from: start))
    }
  }

  private func decision(
    _ costs: Costs, _ index: Int, from start: PacingInstant, isSpent: Bool
  ) -> Decision {
    let entry = self[index]
    let (cost, part, ahead) = (entry.cost(costs), entry.part, entry.ahead)
    let isHeldUp = start > latest
    let isPossible = cost <= part.capacity
    let paused = max(latest, pausedUntil)
    let own = cost == 0 ? .distantPast : part.earliest(for: cost, behind: 0, from: paused)
    let isAllowed =
      isPossible && (isFree(costs) || !isHeldUp && Fit(instant: own).isDue(at: latest))
    let reckoned = ahead > 0 ? part.earliest(for: cost, behind: ahead, from: paused) : own
    let spends = isSpent ? cost : 0
    let rest = isHeldUp ? 0 : part.available(at: latest, spending: spends)
    // Those ahead spend what they wait for, not before the end of a pause.
    let resetsAt = part.resetsAt(
      spending: Int(clamping: Int128(spends) + ahead), at: isSpent && ahead == 0 ? latest : paused)
    let isRefusing = !isPossible || own > paused
    return Decision(
      isAllowed: isAllowed, remaining: max(0, rest),
      retryAfter: isAllowed
        ? .zero : isPossible ? max(reckoned, start).wait(from: latest) : nil,
      resetAfter: Duration(nanoseconds: max(0, resetsAt - latest)),
      refusedBy: isRefusing ? entry.limit?.label : nil,
      isPossible: isPossible)
  }

  /// The balance of the least part, less what waiters ask for; it may be negative.
  var available: Int {
    (0..<count).reduce(.max) { least, index in
      min(least, Int(clamping: Int128(self[index].part.available(at: latest)) - self[index].ahead))
    }
  }

  // MARK: Changes

  /// Spends a call's costs on all parts.
  ///
  /// They are on time if a waiter spends them that was not held up by anything else.
  mutating func spend(_ costs: Costs, at instant: PacingInstant, isOnTime: Bool = false) {
    // Until a pause ends nothing is available, not even a fraction of a nanosecond before.
    let isOnTime = isOnTime && instant > pausedUntil
    forEach {
      let cost = $0.cost(costs)
      if cost > 0 { $0.part.spend(cost, at: instant, isOnTime: isOnTime) }
    }
  }

  /// Gives costs back, as far as they still count; permits stay.
  mutating func giveBack(_ costs: Costs, chargedAt instant: PacingInstant? = nil) {
    let now = latest
    forEach { if !$0.isPermits { $0.part.giveBack($0.cost(costs), chargedAt: instant, at: now) } }
  }

  /// Charges or gives back the difference between what a call was charged and what it really cost.
  ///
  /// - Precondition: An integer settles what an integer charged; the limit or the charge has a part
  ///   for each name.
  mutating func settle(_ charged: Costs, as real: Costs, chargedAt instant: PacingInstant) {
    requireSettling(charged, as: real)
    let now = latest
    forEach { entry in
      guard !entry.isPermits else { return }
      var cost = entry.cost(real)
      if case .named(let named) = real.kind {
        guard let named = entry.limit?.name.flatMap({ named[$0] }) else { return }
        cost = named
      }
      let difference = cost - entry.cost(charged)
      if difference > 0 {
        entry.part.spend(difference, at: now, isOnTime: false)
      } else if difference < 0 {
        entry.part.giveBack(-difference, chargedAt: instant, at: now)
      }
    }
  }

  private func requireSettling(_ charged: Costs, as real: Costs) {
    switch (charged.kind, real.kind) {
    case (.named, .each):
      ConfigurationError.require(
        false, "costs", real, must: "name the parts, as the charge of \(charged) does")
    case (.named(let old), .named(let new)):
      require(Costs(new.filter { old[$0.key] == nil }))
    case (.each, .named): require(real)
    case (.each, .each): break
    }
  }

  /// Takes everything from all parts, and returns what the least had.
  mutating func drain() -> Int {
    let now = latest
    var least = Int.max
    forEach {
      let rest = max(0, $0.part.available(at: now))
      least = min(least, rest)
      // A bucket also loses the fraction of a token.
      if case .bucket(var level) = $0.part {
        level.drain(at: now)
        $0.part = .bucket(level)
      } else if rest > 0 {
        $0.part.spend(rest, at: now, isOnTime: false)
      }
    }
    return least
  }

  /// Grants nothing before `end`; a longer pause stays in force.
  mutating func pause(until end: PacingInstant) {
    pausedUntil = max(pausedUntil, end)
  }

  mutating func resume() { pausedUntil = min(pausedUntil, latest) }

  /// Forgets what was spent, and ends a pause; permits stay held.
  mutating func reset() {
    resume()
    let now = latest
    forEach { $0.part.reset(at: now) }
  }

  /// Changes the only bucket.
  mutating func reconfigure(rate: Rate?, burst: Int?) {
    guard let scale = bucket?.scale else { return }
    bucket?.reconfigure(rate: rate ?? scale.rate, burst: burst ?? scale.burst, at: latest)
  }

  /// Whether a key's bucket has another quota.
  func isOther(_ quota: Quota) -> Bool {
    bucket.map { $0.scale.rate != quota.rate || $0.scale.burst != quota.burst } ?? false
  }

  /// Gives a key's bucket another quota; it keeps the instant at which it is full.
  mutating func adopt(_ quota: Quota) {
    bucket = bucket.map { BucketLevel(quota, $0.stamp) }
  }

  /// Replaces the limits.
  ///
  /// A part is matched by name, one without a name by kind and order; a new one starts with nothing
  /// spent. The caller notes the waiters' costs again.
  ///
  /// - Precondition: There are limits, or permits.
  mutating func reconfigure(_ limits: [Limit]) {
    if permits == nil { Self.require(limits) }
    var left = entries
    var new = left.filter { $0.isPermits }
    for index in new.indices { new[index].ahead = 0 }
    for limit in limits {
      var part: LimitPart?
      for index in left.indices
      where part == nil && left[index].limit != nil && left[index].limit?.name == limit.name {
        if left[index].part.reconfigure(limit, at: latest) { part = left.remove(at: index).part }
      }
      new.append(Entry(part: part ?? LimitPart(limit, at: latest), limit: limit))
    }
    entries = new
  }

  /// Changes the number of permits; those that are held stay.
  mutating func reconfigure(permits count: Int) {
    Self.requirePermits(count)
    guard case .permits(var permits)? = entries.first?.part else { return }
    permits.count = count
    entries[0].part = .permits(permits)
  }

  mutating func releasePermit() {
    entries[0].part.giveBack(1, chargedAt: nil, at: latest)
  }

  /// How much later than it fits a waiter's cost may be spent without a loss.
  func spareTime(within most: Nanoseconds) -> Nanoseconds {
    (0..<count).reduce(most) { min($0, self[$1].part.spareTime(within: most)) }
  }
}

extension Limit {
  /// The name, or the description as one.
  fileprivate var label: Name { name ?? Name(description) }
}

extension Decision {
  /// The answer of two parts together: the least remains, and the longest wait counts.
  fileprivate func combined(with other: Decision) -> Decision {
    let isAllowed = isAllowed && other.isAllowed
    let isFirst = isLonger(than: other)
    return Decision(
      isAllowed: isAllowed, remaining: min(remaining, other.remaining),
      retryAfter: isFirst ? retryAfter : other.retryAfter,
      resetAfter: max(resetAfter, other.resetAfter),
      refusedBy: isFirst ? refusedBy : other.refusedBy,
      isPossible: isPossible && other.isPossible)
  }

  private func isLonger(than other: Decision) -> Bool {
    guard isPossible, other.isPossible else { return !isPossible }
    guard let wait = other.retryAfter else { return retryAfter == nil }
    return retryAfter.map { $0 >= wait } ?? true
  }
}
