/// Limits that are spent together, as a pure value; those who wait are in
/// `RateLimiterState+Waiting.swift`.
///
/// Time is clamped: an instant before one seen already counts as that one.
package struct RateLimiterState<Payload> {
  /// The limits as they will be when some of those in the queue have been served on time, and when.
  typealias Projection = (limits: CombinedLimitState, instant: PacingInstant)

  let names: [String]
  private let makeFullLimits: @Sendable (PacingInstant) -> CombinedLimitState
  var limits: CombinedLimitState
  package var waiters: WaiterQueue<Payload>
  var latest: PacingInstant
  /// What is behind all who wait; nil where nobody waits, or where it must be reckoned anew.
  var projection: Projection?
  package var mayBeHopeless = false
  package var isClosed = false
  package var statistics = LimitStatistics()

  /// Makes limits of which nothing is spent.
  ///
  /// - Precondition: There is a limit.
  package init(_ limits: [Limit], queue: QueuePolicy = .unlimited, at now: PacingInstant) {
    names = limits.map(\.description)
    makeFullLimits = { CombinedLimitState(limits.map(\.full), at: $0) }
    self.limits = CombinedLimitState(limits, at: now)
    waiters = WaiterQueue(queue)
    latest = now
  }

  package var isPlain: Bool { waiters.isEmpty && !isClosed }

  package var capacity: Int { limits.capacity }

  /// Spends `cost` if it fits, where the state is plain.
  package mutating func tryPlainly(_ cost: Int, at now: PacingInstant) -> Bool {
    let isAllowed = tryToSpend(cost, at: now)
    statistics.note(isAllowed, cost)
    return isAllowed
  }

  private mutating func tryToSpend(_ cost: Int, at now: PacingInstant) -> Bool {
    ConfigurationError.requireCost(cost)
    guard cost > 0, cost <= capacity else { return cost == 0 }
    advance(to: now)
    guard limits.earliest(for: cost) <= latest else { return false }
    limits.spend(cost, at: latest, isAwaited: false)
    return true
  }

  /// What `request` would answer.
  package mutating func peek(_ cost: Int, at now: PacingInstant) -> Decision {
    ConfigurationError.requireCost(cost)
    advance(to: now)
    guard !isClosed else {
      return Decision(isAllowed: false, remaining: 0, retryAfter: nil, resetAfter: .zero)
    }
    let ahead = aheadOfAsker(cost)
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
    advance(to: now)
    return Int(clamping: Int128(limits.available(at: latest)) - waiters.tokens)
  }

  /// Spends a cost that fits.
  package mutating func spend(_ cost: Int, at now: PacingInstant) {
    advance(to: now)
    projection = nil
    limits.spend(cost, at: latest, isAwaited: false)
  }

  /// Grants nothing until `instant`, nor until any later one that was said before.
  package mutating func pause(until instant: PacingInstant, at now: PacingInstant) {
    advance(to: now)
    guard instant > latest else { return }
    limits.pause(until: instant)
    projection = nil
    noteDelay()
  }

  /// Ends a pause.
  package mutating func resume(at now: PacingInstant) {
    advance(to: now)
    limits.resume()
    projection = nil
  }

  /// Forgets what was spent, and ends a pause.
  package mutating func reset(at now: PacingInstant) {
    advance(to: now)
    limits = makeFullLimits(latest)
    projection = nil
  }

  mutating func advance(to now: PacingInstant) {
    if latest < now { latest = now }
  }

  /// What an asker could have at once.
  private var room: Int {
    guard limits.pausedUntil <= latest, waiters.isEmpty || waiters.isNewestFirst else { return 0 }
    return limits.available(at: latest)
  }
}
