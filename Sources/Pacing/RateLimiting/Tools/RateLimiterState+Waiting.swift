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
    waiters.isEmpty
      ? projection(startsWithHead: true)
      : forecastBehindQueue(without: leaving).after(latest)
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
    waiters.timedCount == 0 || isQueueInTime() ? .none : .unknown
  }

  // MARK: The first waiter

  package var boundsDelays: Bool { limits.boundsDelays }

  package mutating func noteNewHead() {}

  package mutating func noteServed() {
    servedUntil = max(servedUntil, latest)
  }

  package mutating func headTurn(at now: PacingInstant) -> HeadTurn? {
    // One that the limits can no longer meet is refused by the review.
    guard let cost = waiters.firstRequest?.cost, canPay(cost) else { return nil }
    advance(until: now)
    let planned = max(limits.earliest(for: cost), servedUntil)
    guard planned <= latest else { return nil }
    let instant = limits.countsRealInstants ? latest : max(planned, latest - catchUp)
    return HeadTurn(instant: instant, delay: instant - planned)
  }

  package mutating func spendHead(_ cost: Int, in turn: HeadTurn) {
    limits.spend(cost, at: turn.instant, isAwaited: true)
    servedUntil = max(servedUntil, turn.instant)
  }
}

/// The limits after some waiters have been served on time, and the instant of that.
package struct LimitsProjection: LimitProjection {
  var limits: CombinedLimitState
  package var instant: PacingInstant

  package func due(_ cost: Int) -> PacingInstant {
    max(instant, limits.earliest(for: cost))
  }

  package mutating func place(_ cost: Int) {
    instant = due(cost)
    limits.spend(cost, at: instant, isAwaited: true)
  }

  package var remembers: Bool { limits.countsRealInstants }

  package var stage: LimitsProjection {
    LimitsProjection(limits: limits.stage, instant: instant)
  }

  package mutating func rewind(to stage: LimitsProjection) {
    limits.rewind(to: stage.limits)
    instant = stage.instant
  }

  /// The same projection, with nothing placed before an instant.
  func after(_ earliest: PacingInstant) -> LimitsProjection {
    LimitsProjection(limits: limits, instant: max(instant, earliest))
  }
}
