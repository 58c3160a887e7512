/// Limits that are charged together, as a pure value; their waiters are in
/// `RateLimiterState+Waiting.swift`.
///
/// Time is clamped: an instant before one already seen counts as that one.
package struct RateLimiterState<Payload> {
  /// The limits in force.
  package private(set) var settings: [Limit]
  private(set) var names: [String]
  var limits: CombinedLimitState
  package var waiters: WaiterQueue<Payload>
  package private(set) var latest: PacingInstant
  package var forecast: QueueForecast<LimitsProjection>?
  /// No grant to a waiter counts from before this instant: the tokens accrued by then were spent,
  /// or available to every caller.
  var servedUntil: PacingInstant
  package var countedFrom = PacingInstant.distantPast
  package var mayBeHopeless = false
  package var mustReviewCosts = false
  package var overdue = [WaiterQueue<Payload>.Refusal]()
  package var isClosed = false
  package var statistics = LimitStatistics()

  /// Makes limits with nothing spent.
  ///
  /// - Precondition: `limits` is not empty.
  package init(_ limits: [Limit], queue: QueuePolicy = .unlimited, at now: PacingInstant) {
    settings = limits
    names = limits.map { $0.description }
    self.limits = CombinedLimitState(limits, at: now)
    waiters = WaiterQueue(queue)
    latest = now
    servedUntil = now
  }

  package var isPlain: Bool { waiters.isEmpty && !isClosed }

  package var capacity: Int { limits.capacity }

  /// Spends `cost` if it fits; requires a plain state.
  package mutating func tryPlainly(_ cost: Int, at now: PacingInstant) -> Bool {
    let isAllowed = tryToSpend(cost, at: now)
    statistics.note(isAllowed, cost)
    return isAllowed
  }

  private mutating func tryToSpend(_ cost: Int, at now: PacingInstant) -> Bool {
    ConfigurationError.requireCost(cost)
    guard cost > 0, cost <= capacity else { return cost == 0 }
    advance(until: now)
    guard limits.earliest(for: cost) <= latest else { return false }
    limits.spend(cost, at: latest, isAwaited: false)
    return true
  }

  package mutating func requestPlainly(_ cost: Int, at now: PacingInstant) -> Decision {
    request(cost, at: now)
  }

  /// The answer that `request` would give.
  package mutating func peek(_ cost: Int, at now: PacingInstant) -> Decision {
    ConfigurationError.requireCost(cost)
    advance(until: now)
    guard !isClosed else { return .closed }
    let ahead = projectionBehindQueue(without: nil)
    let earliest = cost > 0 ? ahead.limits.earliest(for: min(cost, capacity)) : latest
    let wait = cost > capacity ? nil : max(earliest, ahead.instant).wait(from: latest)
    let isAllowed = cost == 0 || wait == .zero
    let spent = isAllowed ? cost : 0
    let refuser = isAllowed ? nil : ahead.limits.refuser(of: cost, at: ahead.instant)
    return Decision(
      isAllowed: isAllowed,
      remaining: max(0, room.adding(-spent)),
      retryAfter: cost == 0 ? .zero : wait,
      resetAfter: Duration(nanoseconds: max(0, resetsAt(spending: spent) - latest)),
      refusedBy: refuser.map { names[$0] })
  }

  /// The most that fits at `now`, rounded down, less what waiters hold.
  package mutating func available(at now: PacingInstant) -> Int {
    advance(until: now)
    return Int(clamping: Int128(limits.available(at: latest)) - waiters.tokens)
  }

  /// Spends a cost that fits.
  package mutating func spend(_ cost: Int, at now: PacingInstant) {
    advance(until: now)
    forecast = nil
    limits.spend(cost, at: latest, isAwaited: false)
  }

  /// Grants nothing before `instant`; a longer pause stays in force.
  package mutating func pause(until instant: PacingInstant, at now: PacingInstant) {
    advance(until: now)
    guard instant > latest else { return }
    limits.pause(until: instant)
    forecast = nil
    noteDelay()
  }

  package mutating func resume(at now: PacingInstant) {
    advance(until: now)
    limits.resume(at: latest)
    forecast = nil
  }

  /// Replaces the limits; each new one inherits what was spent of the old one with the same name
  /// and kind.
  package mutating func reconfigure(
    _ new: [Limit], inheriting inheritance: Inheritance, at now: PacingInstant
  ) {
    advance(until: now)
    limits.reconfigure(new, replacing: settings, inheriting: inheritance, at: latest)
    settings = new
    names = new.map { $0.description }
    forecast = nil
    mustReviewCosts = !waiters.isEmpty
    mayBeHopeless = mustReviewCosts
  }

  /// Forgets what was spent, and ends a pause.
  package mutating func reset(at now: PacingInstant) {
    advance(until: now)
    limits = CombinedLimitState(settings.map { $0.full }, at: latest)
    forecast = nil
  }

  package mutating func advance(until now: PacingInstant) {
    if latest < now { latest = now }
  }

  /// The most that a caller could spend immediately.
  private var room: Int {
    guard limits.pausedUntil <= latest, waiters.isEmpty else { return 0 }
    return limits.available(at: latest)
  }
}
