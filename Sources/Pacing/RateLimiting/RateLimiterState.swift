/// Limits that are spent together, as a pure value; those who wait are in
/// `RateLimiterState+Waiting.swift`.
///
/// Time is clamped: an instant before one seen already counts as that one.
package struct RateLimiterState<Payload> {
  /// The limits as they will be when the last one in the queue has been served on time, and when.
  typealias Outlook = (limits: LimitSet, instant: PacingInstant)

  private let names: [String]
  private let makeLimits: @Sendable (PacingInstant) -> LimitSet
  var limits: LimitSet
  var waiters = WaiterQueue<Payload>()
  var latest: PacingInstant
  /// Nil where nobody waits, or where it must be reckoned anew.
  var outlook: Outlook?
  /// Whether a pause may have put off someone who waits.
  var mayBeHopeless = false
  private(set) var isClosed = false

  /// Makes limits of which nothing is spent.
  ///
  /// - Precondition: There is a limit.
  package init(_ limits: [Limit], at now: PacingInstant) {
    names = limits.map(\.description)
    makeLimits = { LimitSet(limits, at: $0) }
    self.limits = makeLimits(now)
    latest = now
  }

  package var isPlain: Bool { waiters.isEmpty && !isClosed }

  /// Spends `cost` if it fits, where the state is plain.
  package mutating func tryPlainly(_ cost: Int, at now: PacingInstant) -> Bool {
    requireCost(cost)
    guard cost > 0, cost <= limits.capacity else { return cost == 0 }
    advance(to: now)
    guard limits.earliest(for: cost) <= latest else { return false }
    limits.spend(cost, at: latest, isAwaited: false)
    return true
  }

  /// Spends `cost` if it fits and nobody waits.
  package mutating func tryAcquire(_ cost: Int, at now: PacingInstant) -> Bool {
    request(cost, at: now).isAllowed
  }

  /// Spends `cost` if it fits and nobody waits, and says what the caller can be told.
  package mutating func request(_ cost: Int, at now: PacingInstant) -> Decision {
    let decision = peek(cost, at: now)
    if decision.isAllowed, cost > 0 { limits.spend(cost, at: latest, isAwaited: false) }
    return decision
  }

  /// Spends as much as fits, up to `count`.
  package mutating func take(upTo count: Int, at now: PacingInstant) -> Int {
    requireCost(count)
    let count = min(count, peek(0, at: now).remaining)
    if count > 0 { limits.spend(count, at: latest, isAwaited: false) }
    return count
  }

  /// Forgets what was spent, and ends a pause.
  package mutating func reset(at now: PacingInstant) {
    advance(to: now)
    limits = makeLimits(latest)
    outlook = nil
  }

  /// What `request` would answer.
  package mutating func peek(_ cost: Int, at now: PacingInstant) -> Decision {
    requireCost(cost)
    advance(to: now)
    guard !isClosed else {
      return Decision(isAllowed: false, remaining: 0, retryAfter: nil, resetAfter: .zero)
    }
    let earliest = earliest(for: cost)
    let isAllowed = earliest.map { $0 <= latest } ?? false
    let spent = isAllowed ? cost : 0
    let (limits, instant) = limitsBehindQueue()
    return Decision(
      isAllowed: isAllowed,
      remaining: max(0, available(at: latest).adding(-spent)),
      retryAfter: earliest.flatMap { $0.wait(from: latest) },
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
    mayBeHopeless = true
  }

  /// Ends a pause.
  package mutating func resume() {
    limits.resume()
    outlook = nil
  }

  /// Serves nobody any more; the shell refuses those who wait.
  package mutating func close() {
    isClosed = true
  }

  mutating func advance(to now: PacingInstant) {
    if latest < now { latest = now }
  }

  func requireCost(_ cost: Int) {
    ConfigurationError.require(cost >= 0, "cost", cost, must: "not be negative")
  }

  /// The instant from which on `cost` fits, counting those who wait already; nil for never.
  mutating func earliest(for cost: Int) -> PacingInstant? {
    guard cost > 0 else { return latest }
    guard cost <= limits.capacity else { return nil }
    let (limits, instant) = limitsBehindQueue()
    return max(instant, limits.earliest(for: cost))
  }
}
