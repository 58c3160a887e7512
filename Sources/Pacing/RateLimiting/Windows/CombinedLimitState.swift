/// Several limits that are charged together.
struct CombinedLimitState {
  private var limits: [any LimitState]
  private(set) var capacity: Int

  /// Whether grants count from the instant of the call, as in windows.
  private(set) var countsRealInstants: Bool

  /// Whether a spend that comes later delays no other by more than that.
  private(set) var boundsDelays: Bool

  /// Nothing is granted before this instant.
  private(set) var pausedUntil: PacingInstant

  /// - Precondition: `limits` is not empty.
  init(_ limits: [Limit], at now: PacingInstant) {
    self.init(limits, limits.map { $0.makeState(at: now) }, pausedUntil: now)
  }

  private init(_ limits: [Limit], _ states: [any LimitState], pausedUntil: PacingInstant) {
    ConfigurationError.trapping(try Self.validate(limits))
    self.limits = states
    capacity = states.map { $0.capacity }.min() ?? 0
    countsRealInstants = !states.allSatisfy { $0 is BucketLevel }
    boundsDelays = !states.contains { $0 is FixedWindowState }
    self.pausedUntil = pausedUntil
  }

  /// Replaces the limits; each new one inherits what was spent of the old one with the same name
  /// and kind.
  mutating func reconfigure(
    _ new: [Limit], replacing old: [Limit], inheriting inheritance: Inheritance,
    at now: PacingInstant
  ) {
    var left = Array(zip(old, limits))
    let states = new.map { limit -> any LimitState in
      let index = left.firstIndex { old, state in
        old.name == limit.name && state.replaced(by: limit, inheriting: inheritance, at: now) != nil
      }
      let state = index.flatMap {
        left.remove(at: $0).1.replaced(by: limit, inheriting: inheritance, at: now)
      }
      return state ?? limit.makeState(at: now)
    }
    self = CombinedLimitState(new, states, pausedUntil: pausedUntil)
  }

  static func validate(_ limits: [Limit]) throws(ConfigurationError) {
    guard !limits.isEmpty else {
      throw ConfigurationError("limits", "none", must: "be one or several")
    }
  }

  /// A copy to try spends in.
  var projected: CombinedLimitState {
    var copy = self
    copy.limits = limits.map { $0.projected }
    return copy
  }

  /// What `rewind` needs to return to a projection as it is.
  var stage: CombinedLimitState {
    var copy = self
    copy.limits = limits.map { $0.stage }
    return copy
  }

  /// Takes back the spends tried since a stage.
  mutating func rewind(to stage: CombinedLimitState) {
    for index in limits.indices { limits[index].rewind(to: stage.limits[index]) }
  }

  mutating func pause(until instant: PacingInstant) {
    pausedUntil = max(pausedUntil, instant)
  }

  /// Ends a pause; until `now` nothing was available.
  mutating func resume(at now: PacingInstant) {
    pausedUntil = min(pausedUntil, now)
  }

  /// The index of the limit with the longest wait for `cost`, nil if no limit delays it.
  func refuser(of cost: Int, at now: PacingInstant) -> Int? {
    if cost > capacity { return limits.firstIndex { $0.capacity < cost } }
    var longest = (instant: max(now, pausedUntil), index: Int?.none)
    for (index, limit) in limits.enumerated() {
      let earliest = limit.earliest(for: cost)
      if earliest > longest.instant { longest = (earliest, index) }
    }
    return longest.index
  }

  /// The answer of each limit on its own.
  func decisions(for cost: Int, at now: PacingInstant) -> [Decision] {
    limits.map { $0.decision(for: cost, at: now) }
  }

  func earliest(for cost: Int) -> PacingInstant {
    limits.reduce(pausedUntil) { max($0, $1.earliest(for: cost)) }
  }

  func available(at now: PacingInstant) -> Int {
    limits.reduce(capacity) { min($0, $1.available(at: now)) }
  }

  func resetsAt(spending cost: Int, at now: PacingInstant) -> PacingInstant {
    limits.reduce(.distantPast) { max($0, $1.resetsAt(spending: cost, at: now)) }
  }

  func spareTime(within most: Nanoseconds) -> Nanoseconds {
    limits.reduce(most) { min($0, $1.spareTime(within: most)) }
  }

  mutating func spend(_ cost: Int, at now: PacingInstant, isAwaited: Bool) {
    // Until a pause ends nothing is available, not even a fraction of a nanosecond before.
    let isAwaited = isAwaited && now > pausedUntil
    for index in limits.indices { limits[index].spend(cost, at: now, isAwaited: isAwaited) }
  }
}
