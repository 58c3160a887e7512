/// The fill level of a token bucket, as a pure value: the time at which it is full, in the units of
/// its scale (GCRA).
///
/// A cost moves that time later. It fits if the bucket is then full no later than an empty bucket
/// would be. The caller clamps the time.
package struct BucketLevel: Sendable {
  private(set) var scale: BucketScale
  /// Whether a cost is granted as soon as there is no debt.
  let paysLater: Bool
  private(set) var fullAt: Int128

  /// - Precondition: `burst` is positive, and `initial` is in `0...burst`.
  package init(
    rate: Rate, burst: Int, initial: Int? = nil, allowsOverdraft: Bool = false,
    at now: PacingInstant
  ) {
    let initial = initial ?? burst
    Self.requireBurst(burst)
    ConfigurationError.require(
      (0...burst).contains(initial), "initial", initial, must: "be in 0...\(burst)")
    scale = BucketScale(rate: rate, burst: burst)
    fullAt = scale.time(now) + scale.units(burst - initial)
    paysLater = allowsOverdraft
  }

  /// The bucket of a key, by the time at which it is full.
  ///
  /// A fraction beyond the rate's units, as one of another quota may be, counts as a whole
  /// nanosecond. A time beyond the last instant counts as never.
  init(_ quota: Quota, _ stamp: KeyStamp) {
    scale = BucketScale(rate: quota.rate, burst: quota.keptBurst)
    let time = scale.time(PacingInstant(nanoseconds: stamp.nanoseconds))
    let part = min(Int128(stamp.parts), Int128(scale.unitsPerNanosecond))
    fullAt = stamp.nanoseconds == .max ? .max : time + part
    paysLater = false
  }

  static func requireBurst(_ burst: Int) {
    ConfigurationError.require(burst > 0, "burst", burst, must: "be positive")
  }

  @inline(__always)
  mutating func tryAcquire(_ cost: Int, at instant: PacingInstant) -> Bool {
    let now = scale.time(instant)
    guard allows(cost, at: now) else { return false }
    let (start, units) = (max(fullAt, now), scale.units(cost))
    // At most twice the capacity after `now`, unless the next caller pays.
    fullAt = paysLater ? start.adding(units) : start &+ units
    return true
  }

  mutating func request(_ cost: Int, at instant: PacingInstant) -> Decision {
    let isAllowed = cost == 0 || tryAcquire(cost, at: instant)
    let isPossible = isAllowed || cost <= capacity
    let wait =
      isAllowed
      ? .zero : isPossible ? scale.instant(due(cost, behind: 0)).wait(from: instant) : nil
    return Decision(
      isAllowed: isAllowed, remaining: max(0, available(at: instant)), retryAfter: wait,
      resetAfter: Duration.nanoseconds(max(0, resetsAt - instant)), isPossible: isPossible)
  }

  var capacity: Int { scale.isUnlimited || paysLater ? .max : scale.burst }

  func holds(_ cost: Int, at now: PacingInstant) -> Bool { allows(cost, at: scale.time(now)) }

  /// Whether it is soon enough full for a cost; only the comparison awaits the clock's reading.
  @inline(__always)
  private func allows(_ cost: Int, at now: Int128) -> Bool {
    let limit = scale.units(paysLater ? scale.burst : scale.burst &- cost)
    // It is never full before the first instant, so the difference does not overflow.
    return limit >= 0 && fullAt &- limit <= now
  }

  /// The earliest instant at which the bucket holds `cost` behind other costs, if nothing else is
  /// spent; it may be in the past.
  package func earliest(
    for cost: Int, behind ahead: Int128, from start: PacingInstant
  ) -> PacingInstant {
    // A bucket with waiters never overflows, so costs add up. Without, the past does not matter.
    var level = self
    if ahead > 0 { level.fullAt = max(fullAt, scale.time(start)) }
    return scale.instant(level.due(cost, behind: ahead))
  }

  private func due(_ cost: Int, behind ahead: Int128) -> Int128 {
    fullAt.adding(scale.units(paysLater ? ahead : ahead.adding(Int128(cost))))
      .adding(-scale.capacity)
  }

  /// The balance in tokens, rounded down; it may be negative.
  package func available(at now: PacingInstant) -> Int {
    Int(clamping: scale.tokens(scale.capacity.adding(-debt(at: scale.time(now)))))
  }

  var resetsAt: PacingInstant { scale.instant(fullAt) }

  /// Spends a cost, into debt if the bucket does not hold it.
  ///
  /// Tokens fall due between two nanoseconds. A cost that is spent in the nanosecond in which it
  /// was due is charged from the exact time, so that a queue does not drift.
  package mutating func spend(_ cost: Int, at instant: PacingInstant, isOnTime: Bool) {
    var start = scale.time(instant)
    if isOnTime {
      let due = due(cost, behind: 0)
      if start.adding(due.negated) < Int128(scale.unitsPerNanosecond) { start = min(due, start) }
    }
    fullAt = max(fullAt, start).adding(scale.units(cost))
  }

  mutating func giveBack(_ cost: Int, at now: PacingInstant) {
    fullAt = min(fullAt, max(fullAt.adding(-scale.units(cost)), scale.time(now)))
  }

  mutating func lower(to rest: Int, next: PacingInstant, at now: PacingInstant) {
    let missing = scale.units(scale.burst - min(rest, scale.burst))
    fullAt = max(fullAt, scale.time(now).adding(missing))
    guard rest == 0 else { return }
    let first = scale.capacity.adding(-scale.units(paysLater ? 0 : 1))
    fullAt = max(fullAt, scale.time(next).adding(first))
  }

  mutating func reset(at now: PacingInstant) { fullAt = scale.time(now) }

  /// Changes the rate and the burst; the tokens stay, cut to the burst.
  mutating func reconfigure(rate: Rate, burst: Int, at now: PacingInstant) {
    Self.requireBurst(burst)
    guard rate != scale.rate || burst != scale.burst else { return }
    let held = scale.capacity.adding(-debt(at: scale.time(now)))
    let new = BucketScale(rate: rate, burst: burst, fineness: fineness(of: held, at: rate))
    let kept = scale.converted(held, to: new)
    scale = new
    fullAt = new.time(now).adding(new.capacity.adding(min(kept, new.capacity).negated))
  }

  /// The time until the bucket is full.
  @inline(__always)
  private func debt(at now: Int128) -> Int128 {
    let (debt, overflow) = fullAt.subtractingReportingOverflow(now)
    return overflow ? .max : max(0, debt)
  }

  /// The factor that makes the units of a rate fine enough to hold `held` as a whole number; one if
  /// that does not fit in 64 bits, which loses a fraction of a unit.
  private func fineness(of held: Int128, at rate: Rate) -> Int64 {
    guard !scale.isUnlimited else { return 1 }
    let unitsPerToken = Int128(scale.unitsPerToken)
    let divisor = greatestCommonDivisor(unitsPerToken, held % unitsPerToken)
    let parts = unitsPerToken / abs(divisor)
    let fineness = parts / greatestCommonDivisor(parts, Int128(rate.nanoseconds))
    guard let fineness = Int64(exactly: fineness),
      !rate.nanoseconds.multipliedReportingOverflow(by: fineness).overflow,
      !rate.tokens.multipliedReportingOverflow(by: fineness).overflow
    else { return 1 }
    return fineness
  }

  /// The time at which it is full, for a key; saturating, and rounded towards fewer tokens.
  var stamp: KeyStamp {
    let unit = Int128(scale.unitsPerNanosecond)
    guard unit > 1 else { return KeyStamp(nanoseconds: Nanoseconds(clamping: fullAt), parts: 0) }
    let (quotient, remainder) = fullAt.quotientAndRemainder(dividingBy: unit)
    let isNegative = remainder < 0
    return KeyStamp(
      nanoseconds: Nanoseconds(clamping: quotient - (isNegative ? 1 : 0)),
      parts: UInt32(truncatingIfNeeded: remainder + (isNegative ? unit : 0)))
  }
}
