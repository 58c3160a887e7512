extension RateLimiterState: QueuedLimit {
  package typealias Place = WaiterQueue<Payload>.Place

  package var deadline: PacingInstant {
    waiters.firstRequest.map { max(latest, limits.earliest(for: $0.cost)) } ?? .distantFuture
  }

  package var tolerance: Nanoseconds { limits.spareTime(within: catchUp / 10) }

  package func canPay(_ cost: Int) -> Bool { cost <= capacity }

  // MARK: Projections

  package func projection(startsWithHead: Bool) -> LimitsProjection {
    LimitsProjection(limits: limits.projected, instant: latest)
  }

  package mutating func projectionBehindQueue(without leaving: Place?) -> LimitsProjection {
    if leaving == nil, let forecast, forecast.isExact {
      return forecast.projection.after(latest)
    }
    var behind = projection(startsWithHead: true)
    guard leaving != nil else { return waiters.isEmpty ? behind : makeForecast().projection }
    placeQueue(without: leaving, in: &behind)
    return behind
  }

  /// Places the waiters whose instants may have changed.
  private mutating func makeForecast() -> QueueForecast {
    var next = rewoundForecast() ?? QueueForecast(projection(startsWithHead: true))
    waiters.forEach(behind: next.last) { next.place($1.cost, until: $1.deadline, call: $0.number) }
    forecast = next
    return next
  }

  /// The forecast up to its last stage that is exact, nil if there is none.
  private mutating func rewoundForecast() -> QueueForecast? {
    // Taken, so that rewinding copies nothing.
    guard !waiters.isNewestFirst, var known = forecast.take(), known.rewind() else { return nil }
    return known
  }

  package func isCertain(_ cost: Int, within timeout: Nanoseconds) -> Bool {
    guard let forecast else { return false }
    return latest.nanoseconds(until: forecast.latestDue(cost)) <= timeout
  }

  /// The instant from which nothing is remembered, if `cost` is spent now and all waiters are
  /// served.
  mutating func resetsAt(spending cost: Int) -> PacingInstant {
    guard cost > 0, !waiters.isEmpty else {
      let behind = projectionBehindQueue(without: nil)
      return behind.limits.resetsAt(spending: cost, at: behind.instant)
    }
    var behind = projection(startsWithHead: true)
    behind.limits.spend(cost, at: latest, isAwaited: false)
    placeQueue(in: &behind)
    return behind.limits.resetsAt(spending: 0, at: behind.instant)
  }

  package mutating func firstLate() -> FirstLate<Place> {
    guard !mustReviewCosts else {
      mustReviewCosts = false
      return .unknown
    }
    guard waiters.timedCount > 0 else { return .none }
    if let forecast, forecast.isInTime { return .none }
    return makeForecast().isInTime ? .none : .unknown
  }

  // MARK: The first waiter

  package mutating func noteJoin(_ cost: Int, until deadline: PacingInstant) {
    if waiters.isNewestFirst {
      forecast = nil
    } else {
      forecast?.place(cost, until: deadline, call: waiters.nextNumber)
    }
  }

  package mutating func noteLeave(_ place: Place) {
    guard waiters.count > 1 else { return forecast = nil }
    forecast?.noteLeave(call: place.number, delaying: limits.boundsDelays ? 0 : .never)
  }

  /// Notes that the first waiter is about to be served.
  private mutating func noteGrant(delaying delay: Nanoseconds) {
    guard waiters.count > 1, delay == 0 || limits.boundsDelays, let place = waiters.firstPlace
    else { return forecast = nil }
    forecast?.noteServed(call: place.number)
    if delay > 0 { forecast?.noteDelay(delay) }
  }

  package mutating func noteServed() {
    servedUntil = max(servedUntil, latest)
  }

  package mutating func headTurn(at now: PacingInstant) -> HeadTurn? {
    // One that the limits can no longer meet is refused by the review.
    guard let cost = waiters.firstRequest?.cost, canPay(cost) else { return nil }
    advance(until: now)
    let planned = max(limits.earliest(for: cost), servedUntil)
    guard planned <= latest else { return nil }
    let instant = limits.countsRealInstants ? latest : max(planned, latest + -catchUp)
    return HeadTurn(instant: instant, isShifted: instant > planned)
  }

  package mutating func spendHead(_ cost: Int, in turn: HeadTurn) {
    let planned = turn.isShifted ? max(limits.earliest(for: cost), servedUntil) : turn.instant
    noteGrant(delaying: turn.instant - planned)
    limits.spend(cost, at: turn.instant, isAwaited: true)
    servedUntil = max(servedUntil, turn.instant)
  }
}

/// The limits after some waiters have been served on time, and the instant of that.
package struct LimitsProjection: LimitProjection {
  var limits: CombinedLimitState
  var instant: PacingInstant

  package func due(_ cost: Int) -> PacingInstant {
    max(instant, limits.earliest(for: cost))
  }

  package mutating func place(_ cost: Int) {
    instant = due(cost)
    limits.spend(cost, at: instant, isAwaited: true)
  }

  /// What `rewind` needs to return here.
  var stage: LimitsProjection {
    LimitsProjection(limits: limits.stage, instant: instant)
  }

  /// Takes back what was placed since a stage.
  mutating func rewind(to stage: LimitsProjection) {
    limits.rewind(to: stage.limits)
    instant = stage.instant
  }

  /// The same projection, with nothing placed before an instant.
  func after(_ earliest: PacingInstant) -> LimitsProjection {
    LimitsProjection(limits: limits, instant: max(instant, earliest))
  }
}
