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
    var projection = projection(plan(from: earliest(from: level.scale.time(latest))))
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
  func planBehindQueue(at now: Int128, without leaving: Place? = nil) -> SpendPlan {
    var plan = plan(from: earliest(from: now))
    guard !waiters.isEmpty else { return plan }
    // If only the queue is ahead, its costs add up: the bucket is never full in between.
    if pins.isEmpty, level.scale.grid == nil, !isHeadSaving {
      let tokens = waiters.tokens - (leaving.map { Int128(waiters.request($0).cost) } ?? 0)
      plan.fullAt = max(plan.fullAt, plan.earliest).adding(level.scale.units(tokens))
      return plan
    }
    var projection = projection(startsWithHead: leaving != waiters.firstPlace)
    placeQueue(without: leaving, in: &projection)
    return projection.plan
  }

  /// The plan ahead of a new reservation: includes the waiters, unless the newest is served first.
  func planForNewcomer(at now: Int128) -> SpendPlan {
    waiters.isNewestFirst ? plan(from: earliest(from: now)) : planBehindQueue(at: now)
  }

  package mutating func firstLate() -> FirstLate<Place> {
    guard waiters.timedCount > 0 || mustReviewCosts else { return .none }
    guard pins.isEmpty, level.scale.grid == nil, !isHeadSaving, !mustReviewCosts,
      level.scale.overdraft == .none, level.scale.unitsPerNanosecond > 0
    else {
      mustReviewCosts = false
      return .unknown
    }
    let plan = plan(from: earliest(from: level.scale.time(latest)))
    let late = waiters.firstLate(
      after: max(plan.fullAt, plan.earliest).adding(-level.scale.capacity),
      earliest: pausedUntil ?? latest, unitsPerToken: level.scale.unitsPerToken,
      unitsPerNanosecond: level.scale.unitsPerNanosecond)
    return late.map { .waiter($0.place, due: instant($0.due)) } ?? .none
  }

  // MARK: The first waiter

  package func isCertain(_ cost: Int, within timeout: Nanoseconds) -> Bool { false }

  package mutating func noteJoin(_ cost: Int, until deadline: PacingInstant) {
    if waiters.isEmpty || waiters.isNewestFirst { savingSince = level.scale.time(latest) }
  }

  package mutating func noteLeave(_ place: Place) {
    if place == waiters.firstPlace { savingSince = level.scale.time(latest) }
  }

  package mutating func noteServed() {
    servedUntil = max(servedUntil, level.scale.time(latest))
  }

  package mutating func headTurn(at now: PacingInstant) -> HeadTurn? {
    guard let request = waiters.firstRequest else { return nil }
    _ = moveOn(to: now)
    // A delay matters only to waiters with a deadline.
    let planned =
      waiters.timedCount > 0 && !isHeadSaving ? plannedSpend(request.cost, from: servedUntil) : nil
    let reach = level.scale.time(latest + -catchUp)
    // Spends due within the current nanosecond keep the order of their exact times.
    spendPins(until: reach.adding(-Int128(level.scale.unitsPerNanosecond)))
    let spend = headSpend(request.cost, reach: reach)
    guard instant(spend.due) <= latest else {
      // The time at which it would have fitted before a reservation was missed.
      if let planned, instant(planned.due) <= latest { noteDelay() }
      return nil
    }
    let isShifted = planned.map { spend.at > $0.at } ?? false
    return HeadTurn(
      instant: max(request.joined, counted(from: spend.due)), time: spend.at, due: spend.due,
      isShifted: isShifted)
  }

  package mutating func spendHead(_ cost: Int, in turn: HeadTurn) {
    spendPins(until: turn.time)
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
    let onTime = plannedSpend(cost, from: max(servedUntil, bound))
    return onTime.at > bound ? onTime : plannedSpend(cost, from: max(servedUntil, reach))
  }

  private func plannedSpend(_ cost: Int, from time: Int128) -> SpendPlan.Spend {
    var plan = plan(from: earliest(from: time))
    return plan.place(cost, on: level.scale, among: pins)
  }

  private var isHeadSaving: Bool {
    waiters.firstRequest.map { !level.canHold($0.cost) } ?? false
  }

  /// The instant reported to callers for that time, including pauses.
  func instant(_ time: Int128) -> PacingInstant {
    max(level.scale.instant(time), pausedUntil ?? latest)
  }

  /// The instant from which a grant due at that time counts.
  private func counted(from time: Int128) -> PacingInstant {
    level.scale.unitsPerNanosecond > 0 ? min(level.scale.instant(time), latest) : latest
  }
}

/// The future spends of a bucket, among its reservations.
package struct BucketProjection: LimitProjection {
  var plan: SpendPlan
  let scale: BucketScale
  let pins: PinnedSpends
  /// The earliest instant reported to a caller.
  let earliest: PacingInstant

  package func due(_ cost: Int) -> PacingInstant {
    var plan = plan
    return max(scale.instant(plan.place(cost, on: scale, among: pins).due), earliest)
  }

  package mutating func place(_ cost: Int) {
    _ = plan.place(cost, on: scale, among: pins)
  }
}
