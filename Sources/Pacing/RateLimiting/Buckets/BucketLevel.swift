/// What a token bucket holds, as a pure value: no lock, no clock, no waiters, no reservations.
///
/// What is stored is the instant at which the bucket will be full, in the units of `BucketScale`. A
/// cost moves it later; a cost is allowed if that leaves it no further away than a whole bucket
/// takes to fill. Time is clamped: an instant before one seen already counts as that one.
package struct BucketLevel: Sendable {
  var scale: BucketScale
  let overdraft: Overdraft.Kind
  var fullAt: Int128
  private(set) var latest: PacingInstant

  /// Makes a bucket that holds `initial` tokens at `now`.
  ///
  /// - Precondition: `burst` is positive, and `initial` is in `0...burst`.
  package init(
    rate: Rate, burst: Int, initial: Int? = nil, refill: Refill = .continuous,
    overdraft: Overdraft = .none, at now: PacingInstant
  ) {
    let initial = initial ?? burst
    Self.requireBurst(burst)
    ConfigurationError.require(
      (0...burst).contains(initial), "initial", initial, must: "be in 0...\(burst)")
    scale = BucketScale(rate: rate, burst: burst, grid: Grid(refill, start: now))
    self.overdraft = overdraft.kind
    latest = now
    fullAt = scale.time(now) + scale.units(burst - initial)
  }

  // MARK: Verbs

  /// Spends `cost` if it is there.
  @inline(__always)
  package mutating func tryAcquire(_ cost: Int, at now: PacingInstant) -> Bool {
    ConfigurationError.requireCost(cost)
    guard cost > 0 else { return true }
    let now = advance(to: now)
    let units = scale.units(cost)
    let debt = debt(at: now)
    guard overdraft != .nextPays else {
      guard debt <= scale.capacity else { return false }
      spend(units, at: now)
      return true
    }
    guard debt <= scale.capacity &- units else { return false }
    // No more than a full bucket after an instant: far from any overflow.
    fullAt = now &+ (debt &+ units)
    return true
  }
}

extension BucketLevel {
  /// Clamps the instant, and returns it in units.
  @inline(__always)
  mutating func advance(to now: PacingInstant) -> Int128 {
    if latest < now { latest = now }
    return scale.time(latest)
  }

  /// How long the bucket still needs to be full.
  @inline(__always)
  func debt(at now: Int128) -> Int128 {
    let (debt, overflow) = fullAt.subtractingReportingOverflow(now)
    return overflow ? .max : max(0, debt)
  }

  mutating func spend(_ units: Int128, at time: Int128) {
    fullAt = max(fullAt, time).adding(units)
  }

  /// The balance in tokens, rounded down.
  func balance(at now: Int128) -> Int128 {
    scale.tokens(scale.capacity.adding(-debt(at: now)))
  }

  /// How long until that time, rounded up.
  func wait(until time: Int128) -> Nanoseconds {
    let due = scale.instant(time)
    return due == .distantFuture ? .never : max(0, due - latest)
  }

  /// What a caller can be told, given the units that could be spent at once before the decision,
  /// and the time at which the bucket is full after it.
  func decision(
    _ cost: Int, isAllowed: Bool, after wait: Nanoseconds, room: Int128, fullAt: Int128
  ) -> Decision {
    let rest = room.adding(isAllowed ? -scale.units(cost) : 0)
    // Without a rate no wait is long enough.
    let isNever = !canHold(cost) || wait == .never && scale.unitsPerNanosecond == 0
    return Decision(
      isAllowed: isAllowed,
      remaining: Int(clamping: max(0, scale.tokens(rest))),
      retryAfter: isNever ? nil : Duration(nanoseconds: wait),
      resetAfter: Duration(nanoseconds: self.wait(until: scale.next(fullAt))))
  }

  /// Whether `cost` can be there at once, now or ever.
  func canHold(_ cost: Int) -> Bool {
    cost <= scale.burst || overdraft == .nextPays || scale.isUnlimited
  }

  /// Whether someone who waits can have `cost`, now or ever.
  func canPay(_ cost: Int) -> Bool {
    canHold(cost) || overdraft == .savingUp
  }
}

extension BucketLevel {
  static func requireBurst(_ burst: Int) {
    ConfigurationError.require(burst > 0, "burst", burst, must: "be positive")
  }
}
