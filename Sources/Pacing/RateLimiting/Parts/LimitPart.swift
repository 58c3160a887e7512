/// A part of a limit, as a pure value: no lock, no clock, no waiters.
///
/// The caller clamps the time. A cost that fits at an instant fits at every later one until
/// something is spent, so a cost fits several parts from the latest of their earliest instants on.
/// Costs above the capacity and negative ones are the caller's to refuse.
enum LimitPart {
  case bucket(BucketLevel)
  case fixedWindow(FixedWindow)
  case slidingWindow(SlidingWindow)
  /// Each call takes one; the caller's handle gives it back.
  case permits(Permits)

  init(_ limit: Limit, at now: PacingInstant) {
    switch limit.kind {
    case .tokenBucket(let rate, let burst, let initial):
      self = .bucket(BucketLevel(rate: rate, burst: burst, initial: initial, at: now))
    case .fixedWindow(let count, let window, let fromCreation):
      self = .fixedWindow(FixedWindow(count, per: window, fromCreation: fromCreation, at: now))
    case .slidingWindow(let count, let window):
      self = .slidingWindow(SlidingWindow(count, per: window))
    }
  }

  var capacity: Int {
    switch self {
    case .bucket(let level): level.capacity
    case .fixedWindow(let window): window.capacity
    case .slidingWindow(let window): window.capacity
    case .permits(let permits): permits.count
    }
  }

  func holds(_ cost: Int, at now: PacingInstant) -> Bool {
    switch self {
    case .bucket(let level): level.holds(cost, at: now)
    case .fixedWindow(let window): cost <= window.available(at: now)
    case .slidingWindow(let window): cost <= window.available(at: now)
    case .permits(let permits): permits.available > 0
    }
  }

  /// The instant from which `cost` fits behind other costs that are granted first, none before
  /// `start`; it may be in the past, and is the distant future if no time can be named.
  func earliest(for cost: Int, behind ahead: Int128, from start: PacingInstant) -> PacingInstant {
    switch self {
    case .bucket(let level): level.earliest(for: cost, behind: ahead, from: start)
    case .fixedWindow(let window): window.earliest(for: cost, behind: ahead, from: start)
    case .slidingWindow(let window): window.earliest(for: cost, behind: ahead, from: start)
    case .permits(let permits): Int128(permits.available) > ahead ? .distantPast : .distantFuture
    }
  }

  /// The most that fits at `now` once `cost`, zero or one that fits, is spent; rounded down,
  /// negative in debt.
  func available(at now: PacingInstant, spending cost: Int = 0) -> Int {
    switch self {
    case .bucket(var level):
      if cost > 0 { level.spend(cost, at: now, isOnTime: false) }
      return level.available(at: now)
    case .fixedWindow(let window): return window.available(at: now) - cost
    case .slidingWindow(let window): return window.available(at: now) - cost
    case .permits(let permits): return permits.available
    }
  }

  /// The instant from which nothing is remembered if `cost`, zero or one that fits, is spent at
  /// `now`; it may be in the past.
  func resetsAt(spending cost: Int, at now: PacingInstant) -> PacingInstant {
    switch self {
    case .bucket(var level):
      if cost > 0 { level.spend(cost, at: now, isOnTime: false) }
      return level.resetsAt
    case .fixedWindow(let window): return window.resetsAt(spending: cost, at: now)
    case .slidingWindow(let window): return window.resetsAt(spending: cost, at: now)
    case .permits: return .distantPast
    }
  }

  /// The instant from which it is as it was at first, if nothing more is spent.
  var restsAt: PacingInstant {
    switch self {
    case .bucket(let level): level.resetsAt
    case .fixedWindow(let window): window.restsAt
    case .slidingWindow(let window): window.resetsAt(spending: 0, at: .distantPast)
    case .permits(let permits): permits.held > 0 ? .distantFuture : .distantPast
    }
  }

  /// Spends a cost, even one that does not fit; on time if a waiter spends it that was not held up
  /// by anything else.
  mutating func spend(_ cost: Int, at instant: PacingInstant, isOnTime: Bool) {
    change(
      bucket: { $0.spend(cost, at: instant, isOnTime: isOnTime) },
      fixed: { $0.spend(cost, at: instant) }, sliding: { $0.spend(cost, at: instant) },
      permits: { $0.held += 1 })
  }

  /// Gives back what still counts of a cost charged at an instant, nil for the latest.
  mutating func giveBack(_ cost: Int, chargedAt instant: PacingInstant?, at now: PacingInstant) {
    change(
      bucket: { $0.giveBack(cost, at: now) },
      fixed: { $0.giveBack(cost, chargedAt: instant, at: now) },
      sliding: { $0.giveBack(cost, chargedAt: instant, at: now) })
  }

  /// Lowers what is left to `rest`, and never raises it; if that is nothing, no more fits before
  /// `next`.
  mutating func lower(to rest: Int, next: PacingInstant, at now: PacingInstant) {
    change(
      bucket: { $0.lower(to: rest, next: next, at: now) },
      fixed: { $0.lower(to: rest, next: next, at: now) },
      sliding: { $0.lower(to: rest, next: next, at: now) })
  }

  mutating func changePermits(_ body: (inout Permits) -> Void) {
    change(bucket: { _ in }, fixed: { _ in }, sliding: { _ in }, permits: body)
  }

  mutating func reset(at now: PacingInstant) {
    change(bucket: { $0.reset(at: now) }, fixed: { $0.reset(at: now) }, sliding: { $0.reset() })
  }

  /// Applies new settings to what was spent; false for those of another kind: nothing changes.
  mutating func reconfigure(
    _ limit: Limit, since origin: PacingInstant, at now: PacingInstant
  ) -> Bool {
    switch (self, limit.kind) {
    case (.bucket(var level), .tokenBucket(let rate, let burst, _)):
      level.reconfigure(rate: rate, burst: burst, at: now)
      self = .bucket(level)
    case (.fixedWindow(var window), .fixedWindow(let count, let length, let fromCreation)):
      window.reconfigure(count, per: length, fromCreation: fromCreation, at: origin)
      self = .fixedWindow(window)
    case (.slidingWindow(var window), .slidingWindow(let count, let length)):
      window.reconfigure(count, per: length, at: now)
      self = .slidingWindow(window)
    default: return false
    }
    return true
  }

  /// How much later than it fits a waiter's cost may be spent without a loss, `most` at most.
  func spareTime(within most: Nanoseconds) -> Nanoseconds {
    switch self {
    case .bucket(let level): level.scale.spareTime(within: most)
    case .permits: most
    case .fixedWindow, .slidingWindow: 0
    }
  }

  /// Whether it records the instants of calls and wakes.
  var isWindow: Bool {
    switch self {
    case .bucket, .permits: false
    case .fixedWindow, .slidingWindow: true
    }
  }

  /// Changes the payload in place.
  private mutating func change(
    bucket: (inout BucketLevel) -> Void, fixed: (inout FixedWindow) -> Void,
    sliding: (inout SlidingWindow) -> Void, permits: (inout Permits) -> Void = { _ in }
  ) {
    // A log must have one owner when it changes, or it is copied.
    switch consume self {
    case .bucket(var level):
      bucket(&level)
      self = .bucket(level)
    case .fixedWindow(var window):
      fixed(&window)
      self = .fixedWindow(window)
    case .slidingWindow(var window):
      sliding(&window)
      self = .slidingWindow(window)
    case .permits(var held):
      permits(&held)
      self = .permits(held)
    }
  }
}
