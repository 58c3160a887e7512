/// The parts of a limit, and the costs that wait ahead of a new caller, as a pure value.
///
/// A call is charged on all parts or on none. Nothing is predicted after the call: the bound of a
/// wait is one expression for each part, reckoned as if all ahead are served.
package struct LimitState {
  struct Entry {
    var part: LimitPart
    /// Nil for permits, and in a ``TokenBucket``.
    let limit: Limit?
    let label: Limit.Name?
    var ahead: Int128

    init(_ part: LimitPart, of limit: Limit? = nil, ahead: Int128 = 0) {
      self.part = part
      self.limit = limit
      self.ahead = ahead
      label = limit.map { $0.name ?? Limit.Name($0.description) }
    }

    var isPermits: Bool { if case .permits = part { true } else { false } }

    func cost(_ costs: Costs) -> Int {
      switch costs.kind {
      case .each(let cost): self.cost(cost)
      case .named: cost(costs.cost(of: limit?.name) ?? 0)
      }
    }

    func cost(_ cost: Int) -> Int { isPermits ? 1 : cost }

    /// Whether the part holds a call's cost, if it has any.
    // Inlined, it would copy the part first.
    @inline(never)
    func holds(_ cost: Int, at now: PacingInstant) -> Bool {
      let cost = self.cost(cost)
      return cost == 0 || part.holds(cost, at: now)
    }

    /// The part's answer to a call that is allowed from `start` on, not before the end of a pause.
    // Inlined, it would copy the part first.
    @inline(never)
    fileprivate func decision(
      _ costs: Costs, _ isFree: Bool, _ isSpent: Bool, from start: PacingInstant,
      _ paused: PacingInstant, at now: PacingInstant
    ) -> Decision {
      let (cost, isHeldUp) = (cost(costs), start > now)
      let isPossible = cost <= part.capacity
      let own = cost == 0 ? .distantPast : part.earliest(for: cost, behind: 0, from: paused)
      let isAllowed = isPossible && (isFree || !isHeldUp && Fit(instant: own).isDue(at: now))
      let reckoned = ahead > 0 ? part.earliest(for: cost, behind: ahead, from: paused) : own
      let spends = isSpent ? cost : 0
      let rest = isHeldUp ? 0 : part.available(at: now, spending: spends)
      // Those ahead spend what they wait for, not before the end of a pause.
      let resetsAt = part.resetsAt(
        spending: Int(clamping: Int128(spends) + ahead), at: isSpent && ahead == 0 ? now : paused)
      let isRefusing = !isPossible || own > paused
      return Decision(
        isAllowed: isAllowed, remaining: max(0, rest),
        retryAfter: isAllowed
          ? .zero : isPossible ? max(reckoned, start).wait(from: now) : nil,
        resetAfter: Duration.nanoseconds(max(0, resetsAt - now)),
        refusedBy: isRefusing ? label : nil, isPossible: isPossible)
    }
  }

  struct Fit {
    /// The earliest instant, permits aside, which may be in the past; the distant future for none.
    var instant: PacingInstant
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
  // An element of an `Array` would be copied to be asked.
  typealias Entries = ContiguousArray<Entry>
  private(set) var entries = Entries()
  /// How the number of permits follows outcomes; nil if it is fixed.
  private var adaptation: Adaptation?

  /// The latest instant seen; an earlier one counts as this one.
  private(set) var latest: PacingInstant
  private(set) var pausedUntil = PacingInstant.distantPast

  init(_ bucket: BucketLevel, at now: PacingInstant) {
    self.bucket = bucket
    latest = now
  }

  init(_ limits: [Limit], since origin: PacingInstant? = nil, at now: PacingInstant) {
    Self.require(limits)
    latest = now
    for limit in limits { entries.append(Entry(LimitPart(limit, at: origin ?? now), of: limit)) }
  }

  init(_ entries: Entries, at now: PacingInstant) {
    self.entries = entries
    latest = now
  }

  init(
    permits: Int, _ adaptation: Adaptation? = nil, _ limits: [Limit] = [], at now: PacingInstant
  ) {
    Self.requirePermits(permits)
    latest = now
    self.adaptation = adaptation
    entries = [Entry(.permits(Permits(count: permits)))]
    for limit in limits { entries.append(Entry(LimitPart(limit, at: now), of: limit)) }
  }

  private static func require(_ limits: [Limit]) {
    ConfigurationError.require(!limits.isEmpty, "limits", "none", must: "be one or several")
  }

  private static func requirePermits(_ count: Int) {
    ConfigurationError.require(count > 0, "count", count, must: "be positive")
  }

  @inline(__always)
  mutating func advance(to now: PacingInstant) { if latest < now { latest = now } }

  @inline(__always)
  private func forEach(_ body: (Entry) -> Void) {
    guard bucket == nil else { return body(only) }
    for index in entries.indices { body(entries[index]) }
  }

  /// The instant from which nothing that was spent counts any more.
  var restsAt: PacingInstant {
    if let bucket { return bucket.resetsAt }
    var last = PacingInstant.distantPast
    forEach { last = max(last, $0.part.restsAt) }
    return last
  }

  /// When nothing that was spent counts any more, for a key.
  var stamp: KeyStamp { bucket?.stamp ?? KeyStamp(nanoseconds: restsAt.nanoseconds, parts: 0) }

  @inline(__always)
  private mutating func change(_ body: (inout Entry) -> Void) {
    for index in entries.indices { body(&entries[index]) }
    guard bucket != nil else { return }
    var entry = only
    body(&entry)
    if case .bucket(let level) = entry.part { bucket = level }
    bucketAhead = entry.ahead
  }

  private var only: Entry { Entry(.bucket(bucket!), ahead: bucketAhead) }

  var limits: [Limit] { entries.compactMap { $0.limit } }

  var permits: Permits? {
    if case .permits(let permits)? = entries.first?.part { permits } else { nil }
  }

  /// - Precondition: The limit has a part for each name.
  func require(_ costs: Costs) {
    guard case .named(let named) = costs.kind else { return }
    for (name, _) in named {
      ConfigurationError.require(
        entries.contains { $0.limit?.name == name }, "costs", name,
        must: "be the name of a part of the limit")
    }
  }

  func isFree(_ costs: Costs) -> Bool { costs.total == 0 && permits == nil }

  /// What the only part of a ``TokenBucket`` takes, which has no name.
  private func bucketCost(_ costs: Costs) -> Int { costs.cost(of: nil) ?? 0 }

  func excess(_ costs: Costs) -> AcquireError? {
    if let bucket, bucketCost(costs) <= bucket.capacity { return nil }
    var excess: AcquireError?
    forEach {
      let (cost, capacity) = ($0.cost(costs), $0.part.capacity)
      if cost > capacity, excess == nil { excess = .exceedsBurst(cost: cost, burst: capacity) }
    }
    return excess
  }

  /// The costs, or if the limit can never hold them the most that it can, for a stream.
  func cut(_ cost: Int) -> Int {
    var least = cost
    forEach { if !$0.isPermits { least = min(least, $0.part.capacity) } }
    return least
  }

  func fit(_ costs: Costs, behindWaiters isBehind: Bool) -> Fit {
    let start = max(latest, pausedUntil)
    var fit = Fit(instant: pausedUntil)
    if let bucket {
      let (cost, ahead) = (bucketCost(costs), isBehind ? bucketAhead : 0)
      let instant = bucket.earliest(for: cost, behind: ahead, from: start)
      return cost > 0 || ahead > 0 ? Fit(instant: max(pausedUntil, instant)) : fit
    }
    forEach {
      let (cost, ahead) = ($0.cost(costs), isBehind ? $0.ahead : 0)
      guard cost > 0 || ahead > 0 else { return }
      let instant = $0.part.earliest(for: cost, behind: ahead, from: start)
      if $0.isPermits {
        fit.needsPermit = instant > latest
      } else {
        fit.instant = max(fit.instant, instant)
        fit.isRecorded = fit.isRecorded || cost > 0 && $0.part.isWindow
      }
    }
    return fit
  }

  @inline(never)
  func holds(_ costs: Costs) -> Bool {
    guard pausedUntil <= latest else { return false }
    if let bucket { return bucketCost(costs) == 0 || bucket.holds(bucketCost(costs), at: latest) }
    for index in entries.indices
    where !entries[index].holds(entries[index].cost(costs), at: latest) { return false }
    return true
  }

  /// Notes a waiter's costs, or those of one that has left the queue.
  mutating func wait(_ costs: Costs, isLeaving: Bool = false) {
    let sign: Int128 = isLeaving ? -1 : 1
    guard bucket == nil else { return bucketAhead += sign * Int128(bucketCost(costs)) }
    change { $0.ahead += sign * Int128($0.cost(costs)) }
  }

  /// The answer of each part to a call, whose costs have been spent if it is allowed and `isSpent`.
  func forEachDecision(
    _ costs: Costs, hasWaiters: Bool, isSpent: Bool, _ body: (Decision) -> Void
  ) {
    let paused = max(latest, pausedUntil)
    // The instant before which no call is allowed: the end of a pause, and when all waiters are
    // served. A part without waiters delays no call, whatever it is owed.
    var start = paused
    if hasWaiters {
      forEach {
        guard $0.ahead > 0 else { return }
        start = max(start, $0.part.earliest(for: 0, behind: $0.ahead, from: paused))
      }
    }
    let isFree = isFree(costs)
    guard bucket == nil else {
      return body(only.decision(costs, isFree, isSpent, from: start, paused, at: latest))
    }
    for index in entries.indices {
      body(entries[index].decision(costs, isFree, isSpent, from: start, paused, at: latest))
    }
  }

  /// The balance of the least part, less what waiters ask for; it may be negative.
  var available: Int {
    var least = Int.max
    forEach { least = min(least, Int(clamping: Int128($0.part.available(at: latest)) - $0.ahead)) }
    return least
  }

  /// Spends the same cost on all parts if they hold it, while nothing waits or is paused.
  @inline(__always)
  mutating func tryAcquire(_ cost: Int) -> Bool {
    guard bucket == nil else { return cost == 0 || bucket!.tryAcquire(cost, at: latest) }
    return tryAcquireEach(cost)
  }

  @inline(never)
  private mutating func tryAcquireEach(_ cost: Int) -> Bool {
    for index in entries.indices where !entries[index].holds(cost, at: latest) { return false }
    for index in entries.indices {
      let cost = entries[index].cost(cost)
      if cost > 0 { entries[index].part.spend(cost, at: latest, isOnTime: false) }
    }
    return true
  }

  /// Spends a call's costs; on time if a waiter spends them that nothing else held up.
  mutating func spend(_ costs: Costs, at instant: PacingInstant, isOnTime: Bool = false) {
    // Until a pause ends nothing is available, not even a fraction of a nanosecond before.
    let isOnTime = isOnTime && instant > pausedUntil
    guard bucket == nil || bucketCost(costs) == 0 else {
      return bucket!.spend(bucketCost(costs), at: instant, isOnTime: isOnTime)
    }
    change {
      let cost = $0.cost(costs)
      if cost > 0 { $0.part.spend(cost, at: instant, isOnTime: isOnTime) }
    }
  }

  mutating func giveBack(_ costs: Costs, chargedAt instant: PacingInstant? = nil) {
    let now = latest
    change { $0.part.giveBack($0.cost(costs), chargedAt: instant, at: now) }
  }

  /// - Precondition: An integer settles what an integer charged; the limit or the charge has a part
  ///   for each name.
  mutating func settle(_ charged: Costs, as real: Costs, chargedAt instant: PacingInstant) {
    requireSettling(charged, as: real)
    let now = latest
    change { entry in
      guard !entry.isPermits, real.cost(of: entry.limit?.name) != nil else { return }
      let difference = entry.cost(real) - entry.cost(charged)
      if difference > 0 {
        entry.part.spend(difference, at: now, isOnTime: false)
      } else if difference < 0 {
        entry.part.giveBack(-difference, chargedAt: instant, at: now)
      }
    }
  }

  private func requireSettling(_ charged: Costs, as real: Costs) {
    if case .named = charged.kind, case .each(let cost) = real.kind {
      ConfigurationError.require(false, "costs", cost, must: "name the parts, as the charge does")
    }
    require(real.without(charged))
  }

  mutating func drain() -> Int {
    let now = latest
    var least = Int.max
    change {
      least = min(least, max(0, $0.part.available(at: now)))
      $0.part.lower(to: 0, next: now, at: now)
    }
    return least
  }

  /// Lowers the parts of a name to what remains, or those without one; false if there are none.
  mutating func lower(_ name: Limit.Name?, to rest: Int, next: PacingInstant) -> Bool {
    let now = latest
    var isFound = false
    change {
      guard $0.limit?.name == name else { return }
      $0.part.lower(to: rest, next: next, at: now)
      isFound = true
    }
    return isFound
  }

  mutating func pause(until end: PacingInstant) { pausedUntil = max(pausedUntil, end) }

  mutating func resume() { pausedUntil = min(pausedUntil, latest) }

  /// Permits stay held, and windows on a grid begin at `origin`, or else now.
  mutating func reset(since origin: PacingInstant? = nil) {
    resume()
    let origin = origin ?? latest
    change { $0.part.reset(at: origin) }
  }

  mutating func reconfigure(rate: Rate?, burst: Int?) {
    guard let scale = bucket?.scale else { return }
    bucket?.reconfigure(rate: rate ?? scale.rate, burst: burst ?? scale.burst, at: latest)
  }

  func isOther(_ limits: KeyLimits) -> Bool {
    switch limits {
    case .bucket(let quota):
      bucket.map { $0.scale.rate != quota.rate || $0.scale.burst != quota.keptBurst } ?? false
    case .parts(let limits): !entries.elementsEqual(limits) { $0.limit == $1 }
    case .permits(let count): count.map { $0 != permits?.count } ?? false
    }
  }

  /// Gives a key its present limits; a bucket with a quota keeps the instant at which it is full.
  mutating func adopt(_ limits: KeyLimits, since origin: PacingInstant) {
    guard isOther(limits) else { return }
    switch limits {
    case .bucket(let quota): bucket = bucket.map { BucketLevel(quota, $0.stamp) }
    case .parts(let limits): reconfigure(limits, since: origin)
    case .permits(let count): if let count { reconfigure(permits: count) }
    }
  }

  /// Replaces the limits, as ``RateLimiter/reconfigure(_:)`` specifies; there are no permits.
  ///
  /// The caller notes the waiters' costs again. A key's parts are new if nothing spent counts any
  /// more, as if the key had been forgotten, and count from the creation of its limiter.
  mutating func reconfigure(_ limits: [Limit], since origin: PacingInstant? = nil) {
    Self.require(limits)
    var left = origin != nil && restsAt <= latest ? [] : entries
    let origin = origin ?? latest
    let equal = limits.map { limit in
      left.firstIndex { $0.limit == limit && limit.name != nil }.map { left.remove(at: $0).part }
    }
    entries = []
    for (limit, var part) in zip(limits, equal) {
      let index = left.indices.first { index in
        part == nil && left[index].limit?.name == limit.name
          && left[index].part.reconfigure(limit, since: origin, at: latest)
      }
      if let index { part = left.remove(at: index).part }
      entries.append(Entry(part ?? LimitPart(limit, at: origin), of: limit))
    }
  }

  mutating func reconfigure(permits count: Int) {
    Self.requirePermits(count)
    adaptation?.reconfigure(count)
    setPermits(adaptation?.count ?? count)
  }

  private mutating func setPermits(_ count: Int) {
    entries[0].part.changePermits { $0.count = count }
  }

  mutating func releasePermit(_ outcome: PermitOutcome, takenAt instant: PacingInstant) {
    if adaptation != nil, outcome != .unknown, let held = permits?.held {
      adaptation!.note(outcome, whileHeld: held, takenAt: instant, at: latest)
      setPermits(adaptation!.count)
    }
    entries[0].part.changePermits { $0.held -= 1 }
  }

  /// How much later than it fits a waiter's cost may be spent without a loss.
  func spareTime(within most: Nanoseconds) -> Nanoseconds {
    var spare = most
    forEach { spare = min(spare, $0.part.spareTime(within: most)) }
    return spare
  }
}
