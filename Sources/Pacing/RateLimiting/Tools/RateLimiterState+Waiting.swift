extension RateLimiterState: QueuedLimit {
  package typealias Place = WaiterQueue<Payload>.Place

  package var deadline: PacingInstant {
    waiters.firstRequest.map { max(latest, limits.earliest(for: $0.cost)) } ?? .distantFuture
  }

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

  private mutating func makeForecast() -> QueueForecast {
    var forecast = QueueForecast(projection(startsWithHead: true))
    waiters.forEach { forecast.place($1.cost, until: $1.deadline) }
    self.forecast = forecast
    return forecast
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
    if waiters.isNewestFirst { forecast = nil } else { forecast?.place(cost, until: deadline) }
  }

  package mutating func noteLeave(_ place: Place) {
    noteChange(delaying: 0)
  }

  /// Notes that a waiter was served later than planned, or is about to leave.
  private mutating func noteChange(delaying delay: Nanoseconds) {
    if waiters.count > 1, limits.boundsDelays {
      forecast?.noteChange(delaying: delay)
    } else {
      forecast = nil
    }
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
    if turn.isShifted || waiters.count == 1 {
      noteChange(delaying: turn.instant - max(limits.earliest(for: cost), servedUntil))
    }
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

  /// The same projection, with nothing placed before an instant.
  func after(_ earliest: PacingInstant) -> LimitsProjection {
    LimitsProjection(limits: limits, instant: max(instant, earliest))
  }
}
