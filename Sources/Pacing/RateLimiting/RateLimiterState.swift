/// Limits that are spent together, as a pure value; those who wait are in
/// `RateLimiterState+Waiting.swift`.
///
/// Time is clamped: an instant before one seen already counts as that one.
package struct RateLimiterState<Payload> {
  /// The limits as they will be when the last one in the queue has been served on time, and when.
  typealias Outlook = (limits: LimitSet, instant: PacingInstant)

  private let names: [String]
  var limits: LimitSet
  var waiters = WaiterQueue<Payload>()
  var latest: PacingInstant
  /// Nil where nobody waits, or where it must be reckoned anew.
  var outlook: Outlook?

  /// Makes limits of which nothing is spent.
  ///
  /// - Precondition: There is a limit.
  package init(_ limits: [Limit], at now: PacingInstant) {
    names = limits.map(\.description)
    self.limits = LimitSet(limits, at: now)
    latest = now
  }

  /// Spends `cost` if it fits and nobody waits.
  package mutating func tryAcquire(_ cost: Int, at now: PacingInstant) -> Bool {
    requireCost(cost)
    guard waiters.isEmpty, cost > 0, cost <= limits.capacity else { return cost == 0 }
    advance(to: now)
    guard limits.earliest(for: cost) <= latest else { return false }
    limits.spend(cost, at: latest, isAwaited: false)
    return true
  }

  /// Spends `cost` if it fits and nobody waits, and says what the caller can be told.
  package mutating func request(_ cost: Int, at now: PacingInstant) -> Decision {
    let decision = peek(cost, at: now)
    if decision.isAllowed, cost > 0 { limits.spend(cost, at: latest, isAwaited: false) }
    return decision
  }

  /// What `request` would answer.
  package mutating func peek(_ cost: Int, at now: PacingInstant) -> Decision {
    advance(to: now)
    let wait = wait(for: cost)
    let isAllowed = wait == 0
    let spent = isAllowed ? cost : 0
    let (limits, instant) = limitsBehindQueue()
    return Decision(
      isAllowed: isAllowed,
      remaining: max(0, available(at: latest).adding(-spent)),
      retryAfter: wait.map(Duration.init(nanoseconds:)),
      resetAfter: Duration(
        nanoseconds: max(0, limits.resetsAt(spending: spent, at: instant) - latest)),
      refusedBy: isAllowed ? nil : limits.refuser(of: cost, at: instant).map { names[$0] })
  }

  /// What fits at `now`, rounded down, less what waiters hold.
  package mutating func available(at now: PacingInstant) -> Int {
    advance(to: now)
    return Int(clamping: Int128(limits.available(at: latest)) - waiters.tokens)
  }

  /// Grants nothing until `instant`, nor until any later one that was said before.
  package mutating func pause(until instant: PacingInstant) {
    limits.pause(until: instant)
    outlook = nil
  }

  mutating func advance(to now: PacingInstant) {
    if latest < now { latest = now }
  }

  private func requireCost(_ cost: Int) {
    ConfigurationError.require(cost >= 0, "cost", cost, must: "not be negative")
  }

  /// How long until `cost` fits, counting those who wait already; nil for never.
  mutating func wait(for cost: Int) -> Nanoseconds? {
    requireCost(cost)
    guard cost > 0 else { return 0 }
    guard cost <= limits.capacity else { return nil }
    let (limits, instant) = limitsBehindQueue()
    return max(0, max(instant, limits.earliest(for: cost)) - latest)
  }
}
