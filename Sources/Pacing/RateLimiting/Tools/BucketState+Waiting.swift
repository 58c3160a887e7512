extension BucketState: QueuedLimit {
  package typealias Place = WaiterQueue<Payload>.Place

  package var capacity: Int { level.scale.burst }

  package var deadline: PacingInstant {
    guard let cost = waiters.firstRequest?.cost else { return .distantFuture }
    return instant(headSpend(cost, reach: level.scale.time(latest)).due)
  }

  package var tolerance: Nanoseconds { level.scale.spareTime(within: catchUp / 10) }

  package func canPay(_ cost: Int) -> Bool { level.canPay(cost) }

  // MARK: Projections

  package func projection(startsWithHead: Bool) -> BucketProjection {
    var projection = projection(plan(from: level.scale.time(latest)))
    if startsWithHead, isHeadSaving { projection.plan.earliest = savingSince }
    return projection
  }

  package mutating func projectionBehindQueue(without leaving: Place?) -> BucketProjection {
    projection(planBehindQueue(at: level.scale.time(latest), without: leaving))
  }

  private func projection(_ plan: SpendPlan) -> BucketProjection {
    BucketProjection(
      plan: plan, scale: level.scale, pins: pins, earliest: pausedUntil ?? latest)
  }

  /// The plan once all waiters, except one that leaves, are served.
  mutating func planBehindQueue(at now: Int128, without leaving: Place? = nil) -> SpendPlan {
    var plan = plan(from: now)
    guard !waiters.isEmpty else { return plan }
    // If only the queue is ahead, its costs add up: the bucket is never full in between, unless its
    // head leaves to one that has a pause to save up in.
    let keepsHead = leaving == nil || leaving != waiters.firstPlace || pausedUntil == nil
    if pins.isEmpty, level.scale.grid == nil, !isHeadSaving, keepsHead {
      let tokens = waiters.tokens - (leaving.map { Int128(waiters.request($0).cost) } ?? 0)
      plan.fullAt = max(plan.fullAt, plan.start).adding(level.scale.units(tokens))
      return plan
    }
    var behind = forecastBehindQueue(without: leaving)
    behind.passSpent(pins)
    return behind.plan
  }

  /// The plan ahead of a new reservation: includes the waiters, unless the newest is served first.
  mutating func planForNewcomer(at now: Int128) -> SpendPlan {
    waiters.isNewestFirst ? plan(from: now) : planBehindQueue(at: now)
  }

  package mutating func firstLate() -> FirstLate<Place> {
    guard waiters.timedCount > 0 else { return .none }
    guard pins.isEmpty, level.scale.grid == nil, !isHeadSaving,
      level.scale.overdraft == .none, level.scale.unitsPerNanosecond > 0
    else { return isQueueInTime() ? .none : .unknown }
    let plan = plan(from: level.scale.time(latest))
    let late = waiters.firstLate(
      after: max(plan.fullAt, plan.start).adding(-level.scale.capacity),
      earliest: pausedUntil ?? latest, unitsPerToken: level.scale.unitsPerToken,
      unitsPerNanosecond: level.scale.unitsPerNanosecond)
    return late.map { .waiter($0.place, due: instant($0.due)) } ?? .none
  }

  // MARK: The first waiter

  /// A delay can move a waiter behind a reservation, or the instant at which one begins to save up.
  package var boundsDelays: Bool {
    pins.isEmpty && forecast?.projection.pins.isEmpty ?? true
      && level.scale.overdraft != .savingUp
  }

  package mutating func noteNewHead() { savingSince = level.scale.time(latest) }

  package mutating func noteServed() { noteServed(until: latest) }

  package mutating func headTurn(at now: PacingInstant) -> HeadTurn? {
    guard let request = waiters.firstRequest else { return nil }
    _ = moveOn(to: now)
    // A delay matters only to waiters with a deadline, and to the forecast.
    let isPlanned = !isHeadSaving && (waiters.timedCount > 0 || forecast != nil)
    let planned = isPlanned ? plannedSpend(request.cost, from: servedUntil) : nil
    let reach = level.scale.time(latest - catchUp)
    // Spends due within the current nanosecond keep the order of their exact times.
    spendPins(until: reach.adding(-Int128(level.scale.unitsPerNanosecond)))
    let spend = headSpend(request.cost, reach: reach)
    guard instant(spend.due) <= latest else {
      // The time at which it would have fitted before a reservation was missed.
      if let planned, instant(planned.due) <= latest {
        forecast = nil
        noteDelay()
      }
      return nil
    }
    let delay = planned.map { level.scale.instant(spend.at) - level.scale.instant($0.at) } ?? 0
    return HeadTurn(
      instant: max(request.joined, counted(from: spend.due)), time: spend.at, due: spend.due,
      passed: spend.passed, delay: delay)
  }

  package mutating func spendHead(_ cost: Int, in turn: HeadTurn) {
    for _ in 0..<turn.passed { spend(pins.popFirst()) }
    spend(cost, at: turn.time)
    savingSince = turn.due
    servedUntil = max(servedUntil, turn.due)
  }

  /// The first waiter's spend, if grants count from `reach` at the earliest.
  ///
  /// Tokens fall due between two nanoseconds. A waiter served in the very next nanosecond is on
  /// time and the fraction is not lost, so a queue does not drift. For one served later, time in
  /// which the bucket was full is lost.
  private func headSpend(_ cost: Int, reach: Int128) -> SpendPlan.Spend {
    guard !isHeadSaving else { return plannedSpend(cost, from: savingSince) }
    let bound = reach.adding(-Int128(level.scale.unitsPerNanosecond))
    let onTime = plannedSpend(cost, from: bound)
    return onTime.at > bound ? onTime : plannedSpend(cost, from: reach)
  }

  private func plannedSpend(_ cost: Int, from time: Int128) -> SpendPlan.Spend {
    var plan = plan(from: time)
    return plan.place(cost, on: level.scale, among: pins)
  }

  var isHeadSaving: Bool {
    waiters.firstRequest.map { !level.canHold($0.cost) } ?? false
  }

  /// Whether the first waiter saves up, and is due before the first reservation.
  var isHeadAhead: Bool {
    guard isHeadSaving, let cost = waiters.firstRequest?.cost else { return false }
    let plan = plan(from: savingSince)
    return plan.passed == 0 && plan.next(cost, on: level.scale).isAhead(of: pins[0])
  }

  /// The instant reported to callers for that time, including pauses.
  func instant(_ time: Int128) -> PacingInstant {
    max(level.scale.instant(time), pausedUntil ?? latest)
  }

  /// The instant from which a grant due at that time counts.
  private func counted(from time: Int128) -> PacingInstant {
    guard level.scale.unitsPerNanosecond > 0 else { return latest }
    return max(min(level.scale.instant(time), latest), servedAt, pausedUntil ?? servedAt)
  }
}

/// The future spends of a bucket, among its reservations.
package struct BucketProjection: LimitProjection {
  var plan: SpendPlan
  let scale: BucketScale
  private(set) var pins: PinnedSpends
  /// The earliest instant reported to a caller.
  let earliest: PacingInstant

  package func due(_ cost: Int) -> PacingInstant {
    var plan = plan
    return max(scale.instant(plan.place(cost, on: scale, among: pins).due), earliest)
  }

  package mutating func place(_ cost: Int) {
    _ = plan.place(cost, on: scale, among: pins)
  }

  package var instant: PacingInstant { max(scale.instant(plan.earliest), earliest) }

  package var remembers: Bool { false }

  package var stage: BucketProjection { self }

  package mutating func rewind(to stage: BucketProjection) { self = stage }

  /// Takes note that the first reservations were spent since: only `left` are left.
  mutating func passSpent(_ left: PinnedSpends) {
    plan.passed -= pins.count - left.count
    pins = left
  }
}
