/// A token bucket with its waiters and reservations, as a pure value.
///
/// It has no lock, no clock and no closures. Waiters are in `BucketState+Waiting.swift`,
/// reservations in `BucketState+Reserving.swift`, changes in `BucketState+Changing.swift`.
package struct BucketState<Payload> {
  var level: BucketLevel
  /// The latest instant seen; an earlier one counts as this one.
  package private(set) var latest: PacingInstant
  package var waiters: WaiterQueue<Payload>
  var pins = PinnedSpends()
  var history = SpendHistory()
  var nextNumber: PinnedSpends.Number = 0
  /// The time at which the bucket is full after all reservations, if nothing fits before the last
  /// one; nil if that is not known.
  var tail: Int128?
  package var forecast: QueueForecast<BucketProjection>?
  /// Nothing is granted before this instant, not even a fraction of a nanosecond before.
  var pausedUntil: PacingInstant?
  /// When the head of the queue began to save up for a cost above the burst.
  var savingSince: Int128 = 0
  /// No grant to a waiter counts from before this time: the tokens accrued by then were spent, or
  /// available to every caller.
  var servedUntil: Int128
  /// The same as an instant: with a stepwise refill the time is that of the step before.
  var servedAt: PacingInstant
  package var countedFrom = PacingInstant.distantPast
  package var mayBeHopeless = false
  package var mustReviewCosts = false
  package var overdue = [WaiterQueue<Payload>.Refusal]()
  package var isClosed = false
  package var statistics = LimitStatistics()

  /// Makes a bucket that holds `initial` tokens at `now`.
  ///
  /// - Precondition: `burst` is positive, and `initial` is in `0...burst`.
  package init(
    rate: Rate, burst: Int, initial: Int? = nil, refill: Refill = .continuous,
    overdraft: Overdraft = .none, queue: QueuePolicy = .unlimited, at now: PacingInstant
  ) {
    self.init(
      level: BucketLevel(
        rate: rate, burst: burst, initial: initial, refill: refill, overdraft: overdraft, at: now),
      queue: queue, at: now)
  }

  /// Makes a bucket with a level, whose waiters are numbered from `firstNumber`.
  init(
    level: BucketLevel, queue: QueuePolicy, firstNumber: UInt64 = 0, at now: PacingInstant
  ) {
    self.level = level
    latest = now
    servedUntil = level.scale.time(now)
    servedAt = now
    waiters = WaiterQueue(queue, firstNumber: firstNumber)
  }

  /// Whether the level alone decides.
  package var isPlain: Bool {
    waiters.isEmpty && pins.isEmpty && history.isEmpty && pausedUntil == nil && !isClosed
  }

  // MARK: Verbs

  /// Spends `cost` if it is available; requires a plain bucket.
  @inline(__always)
  package mutating func tryPlainly(_ cost: Int, at now: PacingInstant) -> Bool {
    ConfigurationError.requireCost(cost)
    let isAllowed = cost == 0 || level.tryAcquire(cost, at: clamp(now))
    statistics.note(isAllowed, cost)
    return isAllowed
  }

  /// As `request`; requires a plain bucket.
  package mutating func requestPlainly(_ cost: Int, at now: PacingInstant) -> Decision {
    ConfigurationError.requireCost(cost)
    _ = clamp(now)
    let decision = level.request(cost, at: latest)
    statistics.note(decision.isAllowed, cost)
    return decision
  }

  /// Spends a cost that is available.
  package mutating func spend(_ cost: Int, at now: PacingInstant) {
    spend(cost, at: advance(to: now))
  }

  // MARK: Queries

  /// The answer that `request` would give.
  package mutating func peek(_ cost: Int, at now: PacingInstant) -> Decision {
    ConfigurationError.requireCost(cost)
    let now = advance(to: now)
    guard !isClosed else { return .closed }
    // A caller that retries instead of waiting is served behind all waiters.
    var plan = planBehindQueue(at: now)
    let wait = cost == 0 ? 0 : latest.nanoseconds(until: dueForAsker(cost, behind: plan))
    let isAllowed = wait == 0 && (cost == 0 || level.canHold(cost))
    if isAllowed, cost > 0 { _ = plan.place(cost, on: level.scale, among: pins) }
    plan.passAll(pins)
    let rest = room(at: now).adding(isAllowed ? -level.scale.units(cost) : 0)
    let isFull = level.scale.instant(level.scale.next(max(now, plan.fullAt)))
    return Decision(
      isAllowed: isAllowed, remaining: Int(clamping: max(0, level.scale.tokens(rest))),
      retryAfter: level.isNever(cost, after: wait) ? nil : Duration(nanoseconds: wait),
      resetAfter: Duration(nanoseconds: latest.nanoseconds(until: isFull)))
  }

  /// The instant at which a caller that retries at a whole nanosecond is granted the cost.
  private func dueForAsker(_ cost: Int, behind plan: SpendPlan) -> PacingInstant {
    var plan = plan
    return instant(plan.place(cost, on: level.scale, among: pins, atWholeNanosecond: true).due)
  }

  /// The balance, rounded down, less what waiters and reservations hold.
  package mutating func available(at now: PacingInstant) -> Int {
    let now = advance(to: now)
    return Int(clamping: level.balance(at: now) - waiters.tokens - pins.tokens)
  }
}

extension BucketState {
  /// Clamps the instant, and converts it to units.
  @inline(__always)
  private mutating func clamp(_ now: PacingInstant) -> Int128 {
    if latest < now { latest = now }
    return level.scale.time(latest)
  }

  package mutating func advance(until now: PacingInstant) {
    _ = advance(to: now)
  }

  /// Clamps the instant, spends the reservations due by then, and converts it to units.
  mutating func advance(to now: PacingInstant) -> Int128 {
    let now = moveOn(to: now)
    spendPins(until: now)
    return now
  }

  /// Clamps the instant, ends a pause that is over, and converts the instant to units.
  mutating func moveOn(to now: PacingInstant) -> Int128 {
    let now = clamp(now)
    if let end = pausedUntil, end < latest {
      pausedUntil = nil
      noteServed(until: end)
    }
    return now
  }

  mutating func noteServed(until instant: PacingInstant) {
    servedUntil = max(servedUntil, level.scale.time(instant))
    servedAt = max(servedAt, instant)
  }

  /// Spends the reservations due by that time, in order, up to one that comes after a waiter that
  /// saves up: spent before, it would take what was saved.
  mutating func spendPins(until time: Int128) {
    while !pins.isEmpty, pins[0].at <= time, !isHeadAhead { spend(pins.popFirst()) }
  }

  mutating func spend(_ cost: Int, at time: Int128) {
    guard cost > 0 else { return }
    forgetPlans()
    spend(units: level.scale.units(cost), at: time)
  }

  private mutating func spend(units: Int128, at time: Int128) {
    // Nothing can be given back to a full bucket.
    if level.debt(at: time) == 0 { history.removeAll() }
    history.note(.spend(units, at: time))
    level.spend(units, at: time)
  }

  /// Spends a reservation at its time.
  mutating func spend(_ pin: PinnedSpends.Pin) {
    // What it takes from a waiter that saves up was not planned.
    if isHeadSaving { forecast = nil }
    guard pin.isOpen else { return spend(units: pin.cost, at: pin.at) }
    if level.debt(at: pin.at) == 0 { history.removeAll() }
    history.append(pin.number, cost: pin.cost, at: pin.at, fullAt: level.fullAt)
    level.spend(pin.cost, at: pin.at)
  }

  /// Notes a change that may move what is planned.
  mutating func forgetPlans() {
    tail = nil
    forecast = nil
  }

  /// A plan that contains only reservations.
  func plan(from time: Int128) -> SpendPlan {
    guard let tail, let last = pins.last else {
      return SpendPlan(fullAt: level.fullAt, earliest: time, notBefore: notBefore)
    }
    return SpendPlan(
      fullAt: tail, earliest: max(time, last.at), notBefore: notBefore, passed: pins.count)
  }

  /// The wait until that time, including pauses, rounded up.
  func wait(until time: Int128) -> Nanoseconds {
    latest.nanoseconds(until: instant(time))
  }

  /// No new grant comes before this time.
  private var notBefore: Int128 {
    pausedUntil.map { max(servedUntil, level.scale.time($0)) } ?? servedUntil
  }

  /// The units that a caller could spend immediately.
  private func room(at now: Int128) -> Int128 {
    let isPaused = pausedUntil.map { $0 > latest } ?? false
    guard !isPaused, waiters.isEmpty else { return 0 }
    let room = level.scale.capacity.adding(-level.debt(at: now))
    return pins.isEmpty ? room : min(room, pins[0].latest.adding(-max(level.fullAt, now)))
  }
}
