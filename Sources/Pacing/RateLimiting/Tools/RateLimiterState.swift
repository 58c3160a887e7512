/// Limits that are spent together, as a pure value; their waiters are in
/// `RateLimiterState+Waiting.swift`.
///
/// Time is clamped: an instant before one seen already counts as that one.
package struct RateLimiterState<Payload> {
  /// The limits that it keeps to.
  package private(set) var settings: [Limit]
  private(set) var names: [String]
  var limits: CombinedLimitState
  package var waiters: WaiterQueue<Payload>
  package private(set) var latest: PacingInstant
  /// What is behind all waiters; nil without waiters, and if it has to be worked out again.
  var projection: LimitsProjection?
  /// No grant to a waiter counts from before: all that had come was spent, or there for everyone.
  var servedUntil: PacingInstant
  /// How far before the present a grant may count.
  let catchUp: Nanoseconds
  package var countedFrom = PacingInstant.distantPast
  package var mayBeHopeless = false
  package var overdue = [WaiterQueue<Payload>.Refusal]()
  package var isClosed = false
  package var statistics = LimitStatistics()

  /// Makes limits of which nothing is spent.
  ///
  /// - Precondition: There is a limit.
  package init(_ limits: [Limit], queue: QueuePolicy = .unlimited, at now: PacingInstant) {
    settings = limits
    names = limits.map(\.description)
    self.limits = CombinedLimitState(limits, at: now)
    waiters = WaiterQueue(queue)
    latest = now
    servedUntil = now
    catchUp = queue.catchUp
  }

  package var isPlain: Bool { waiters.isEmpty && !isClosed }

  package var capacity: Int { limits.capacity }

  /// Spends `cost` if it fits, if the state is plain.
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

  /// What `request` would answer.
  package mutating func peek(_ cost: Int, at now: PacingInstant) -> Decision {
    ConfigurationError.requireCost(cost)
    advance(until: now)
    guard !isClosed else {
      return Decision(isAllowed: false, remaining: 0, retryAfter: nil, resetAfter: .zero)
    }
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

  /// What fits at `now`, rounded down, less what waiters hold.
  package mutating func available(at now: PacingInstant) -> Int {
    advance(until: now)
    return Int(clamping: Int128(limits.available(at: latest)) - waiters.tokens)
  }

  /// Spends a cost that fits.
  package mutating func spend(_ cost: Int, at now: PacingInstant) {
    advance(until: now)
    projection = nil
    limits.spend(cost, at: latest, isAwaited: false)
  }

  /// Grants nothing until `instant`, nor until any later one that was said before.
  package mutating func pause(until instant: PacingInstant, at now: PacingInstant) {
    advance(until: now)
    guard instant > latest else { return }
    limits.pause(until: instant)
    projection = nil
    noteDelay()
  }

  /// Ends a pause.
  package mutating func resume(at now: PacingInstant) {
    advance(until: now)
    limits.resume()
    projection = nil
  }

  /// Keeps to other limits; what was spent of one is kept by the one of the same name and kind.
  package mutating func reconfigure(
    _ new: [Limit], inheriting inheritance: Inheritance, at now: PacingInstant
  ) {
    advance(until: now)
    limits.reconfigure(new, replacing: settings, inheriting: inheritance, at: latest)
    settings = new
    names = new.map(\.description)
    projection = nil
    // A cost may be above the new capacity, too.
    mayBeHopeless = !waiters.isEmpty
  }

  /// Forgets what was spent, and ends a pause.
  package mutating func reset(at now: PacingInstant) {
    advance(until: now)
    limits = CombinedLimitState(settings.map(\.full), at: latest)
    projection = nil
  }

  package mutating func advance(until now: PacingInstant) {
    if latest < now { latest = now }
  }

  /// What a caller could have at once.
  private var room: Int {
    guard limits.pausedUntil <= latest, waiters.isEmpty else { return 0 }
    return limits.available(at: latest)
  }
}
