/// The fill level of a token bucket, as a pure value: the time at which it is full, in the units of
/// its scale (GCRA).
///
/// A cost moves that time later. It fits if the bucket is then full no later than an empty bucket
/// would be. The caller clamps the time.
package struct BucketLevel: Sendable {
  var scale: BucketScale
  var fullAt: Int128

  init(scale: BucketScale, fullAt: Int128) {
    self.scale = scale
    self.fullAt = fullAt
  }

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
    scale = BucketScale(
      rate: rate, burst: burst, grid: Grid(refill, start: now), overdraft: overdraft.kind)
    fullAt = scale.time(now) + scale.units(burst - initial)
  }

  /// Spends `cost` if the bucket holds it.
  @inline(__always)
  mutating func tryAcquire(_ cost: Int, at now: Int128) -> Bool {
    let units = scale.units(cost)
    let debt = debt(at: now)
    guard scale.overdraft != .nextPays else {
      guard debt <= scale.capacity else { return false }
      spend(units, at: now)
      return true
    }
    guard debt <= scale.capacity &- units else { return false }
    // At most `capacity` after `now`, so this cannot overflow.
    fullAt = now &+ (debt &+ units)
    return true
  }

  /// Whether no wait is long enough for a cost: it is too large, or there is no refill.
  func isNever(_ cost: Int, after wait: Nanoseconds) -> Bool {
    !canHold(cost) || wait == .never && scale.unitsPerNanosecond == 0
  }

  /// As `tryAcquire`, and reports what to tell the caller.
  mutating func request(_ cost: Int, at instant: PacingInstant) -> Decision {
    let now = scale.time(instant)
    let isAllowed = cost == 0 || tryAcquire(cost, at: now)
    let needed = scale.overdraft == .nextPays ? 0 : scale.units(cost)
    let fits = fullAt.adding(needed - scale.capacity)
    let wait = isAllowed ? 0 : self.wait(until: fits, from: instant)
    return Decision(
      isAllowed: isAllowed, remaining: Int(clamping: max(0, balance(at: now))),
      retryAfter: isNever(cost, after: wait) ? nil : Duration(nanoseconds: wait),
      resetAfter: Duration(nanoseconds: self.wait(until: max(now, fullAt), from: instant)))
  }

  mutating func spend(_ units: Int128, at time: Int128) {
    fullAt = max(fullAt, time).adding(units)
  }
}

extension BucketLevel {
  /// The time until the bucket is full.
  @inline(__always)
  func debt(at now: Int128) -> Int128 {
    let (debt, overflow) = fullAt.subtractingReportingOverflow(now)
    return overflow ? .max : max(0, debt)
  }

  /// The time until tokens arrive at or after `time`.
  private func wait(until time: Int128, from instant: PacingInstant) -> Nanoseconds {
    instant.nanoseconds(until: scale.instant(scale.next(time)))
  }

  /// The balance in tokens, rounded down.
  func balance(at now: Int128) -> Int128 {
    scale.tokens(scale.capacity.adding(-debt(at: now)))
  }

  /// The earliest time at which the bucket holds `cost`, if nothing else is spent.
  func dueAt(_ cost: Int) -> Int128 {
    fullAt.adding(scale.units(cost) - scale.capacity)
  }

  /// Whether `cost` can ever be granted immediately.
  func canHold(_ cost: Int) -> Bool {
    cost <= scale.burst || scale.overdraft == .nextPays || scale.isUnlimited
  }

  /// Whether a waiter can ever be granted `cost`.
  func canPay(_ cost: Int) -> Bool {
    canHold(cost) || scale.overdraft == .savingUp
  }
}

extension BucketLevel {
  static func requireBurst(_ burst: Int) {
    ConfigurationError.require(burst > 0, "burst", burst, must: "be positive")
  }
}
