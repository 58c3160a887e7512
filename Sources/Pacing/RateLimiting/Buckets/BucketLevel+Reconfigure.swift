/// A change of a bucket's scale: converts from the old units to the new ones.
struct ScaleChange {
  let old: BucketScale
  let new: BucketScale

  /// Converts a time, rounded up to the instant reported to callers.
  func time(_ time: Int128) -> Int128 {
    new.time(old.instant(time))
  }

  /// Converts an amount of tokens, rounded down, saturating.
  func amount(_ units: Int128) -> Int128 {
    guard units < .max else { return .max }
    guard !old.isUnlimited else { return new.units(old.tokens(units)) }
    let (quotient, remainder) = units.quotientAndRemainder(dividingBy: Int128(old.unitsPerToken))
    let isBelow = remainder < 0
    let rest = isBelow ? remainder + Int128(old.unitsPerToken) : remainder
    let (whole, overflow) = (quotient - (isBelow ? 1 : 0))
      .multipliedReportingOverflow(by: Int128(new.unitsPerToken))
    guard !overflow else { return units < 0 ? .min : .max }
    return whole.adding(rest * Int128(new.unitsPerToken) / Int128(old.unitsPerToken))
  }

  /// The same fraction of the new burst, rounded down; a debt stays as it is.
  func part(_ units: Int128) -> Int128 {
    guard !old.isUnlimited else { return new.capacity }
    guard units > 0 else { return amount(units) }
    let product = units.multipliedFullWidth(by: new.capacity)
    return old.capacity.dividingFullWidth(product).quotient
  }
}

extension BucketLevel {
  /// Changes the rate and the burst; the caller updates reservations and waiters.
  mutating func reconfigure(
    rate: Rate, burst: Int, inheriting kind: Inheritance.Kind, at now: PacingInstant
  ) -> ScaleChange {
    Self.requireBurst(burst)
    let held = scale.capacity.adding(-debt(at: scale.time(now)))
    let change = ScaleChange(
      old: scale,
      new: BucketScale(
        rate: rate, burst: burst, grid: scale.grid, overdraft: scale.overdraft,
        fineness: fineness(of: held, at: rate)))
    let new = change.new
    let inherited =
      switch kind {
      case .keep: change.amount(held)
      case .additive:
        change.amount(held).adding(new.units(max(0, burst - scale.burst)))
      case .proportional: change.part(held)
      case .reset: new.capacity
      case .spent:
        change.amount(held).adding(new.units(burst)).adding(-new.units(scale.burst))
      }
    scale = new
    fullAt = new.time(now).adding(new.capacity.adding(min(inherited, new.capacity).negated))
    return change
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
}
