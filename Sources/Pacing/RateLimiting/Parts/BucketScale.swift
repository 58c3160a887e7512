/// The unit in which a bucket counts both time and tokens, so that all arithmetic is on integers.
///
/// At a rate of `tokens` per `nanoseconds`, one unit is `1 / tokens` ns: a nanosecond has `tokens`
/// units, and a token accrues in `nanoseconds` units. `fineness` divides the unit further, so that
/// a level stays a whole number when the rate changes.
///
/// The extremes need no special case: with an unlimited rate a token takes zero units; with no rate
/// a nanosecond has zero units. A product of two 64-bit numbers fits in 126 bits and the sum of two
/// products in 127; longer sums saturate.
struct BucketScale: Sendable {
  let rate: Rate
  let burst: Int
  let unitsPerNanosecond: Int64
  let unitsPerToken: Int64

  init(rate: Rate, burst: Int, fineness: Int64 = 1) {
    self.rate = rate
    self.burst = burst
    unitsPerNanosecond = rate.tokens * fineness
    unitsPerToken = rate.nanoseconds * fineness
  }

  @inline(__always)
  var capacity: Int128 { units(burst) }

  var isUnlimited: Bool { unitsPerToken == 0 }

  /// The units from the clock's origin to `instant`.
  @inline(__always)
  func time(_ instant: PacingInstant) -> Int128 {
    product(instant.nanoseconds, unitsPerNanosecond)
  }

  /// The first instant not before that time, saturating.
  func instant(_ time: Int128) -> PacingInstant {
    guard unitsPerNanosecond > 0 else { return time > 0 ? .distantFuture : .distantPast }
    let (quotient, remainder) = divide(time, by: unitsPerNanosecond)
    // The quotient truncates towards zero, which rounds up for times before the clock's origin.
    return PacingInstant(nanoseconds: Nanoseconds(clamping: quotient.adding(remainder > 0 ? 1 : 0)))
  }

  /// How long tokens may stay in the bucket before they are spent: until an eighth of it is full,
  /// `most` at most, and zero if fewer than two come in that time.
  func spareTime(within most: Nanoseconds) -> Nanoseconds {
    guard unitsPerNanosecond > 0 else { return 0 }
    let interval = unitsPerToken / unitsPerNanosecond
    let spare = min(most, interval.multiplied(by: Int64(burst - 1)) / 8)
    return spare / 2 >= interval ? spare : 0
  }

  /// The units in which that many tokens accrue.
  @inline(__always)
  func units(_ tokens: Int) -> Int128 { product(Int64(tokens), unitsPerToken) }

  /// The units in which that many tokens accrue, saturating.
  func units(_ tokens: Int128) -> Int128 {
    Int64(exactly: tokens).map { product($0, unitsPerToken) } ?? (isUnlimited ? 0 : .max)
  }

  /// The tokens that accrue in that many units, rounded down; the burst if the rate is unlimited.
  func tokens(_ units: Int128) -> Int128 {
    guard !isUnlimited else { return units < 0 ? 0 : Int128(burst) }
    let (quotient, remainder) = divide(units, by: unitsPerToken)
    return quotient - (remainder < 0 ? 1 : 0)
  }

  /// Converts an amount of tokens to another scale, rounded down, saturating.
  func converted(_ units: Int128, to new: BucketScale) -> Int128 {
    guard units < .max else { return .max }
    guard !isUnlimited else { return new.units(tokens(units)) }
    let (quotient, remainder) = divide(units, by: unitsPerToken)
    let isBelow = remainder < 0
    let rest = isBelow ? remainder + Int128(unitsPerToken) : remainder
    let (whole, overflow) = (quotient - (isBelow ? 1 : 0))
      .multipliedReportingOverflow(by: Int128(new.unitsPerToken))
    guard !overflow else { return units < 0 ? .min : .max }
    return whole.adding(rest * Int128(new.unitsPerToken) / Int128(unitsPerToken))
  }
}

/// The full product: one machine instruction, whereas a 128-bit multiplication is a call.
@inline(__always)
private func product(_ first: Int64, _ second: Int64) -> Int128 {
  let (high, low) = first.multipliedFullWidth(by: second)
  return Int128(high) << 64 | Int128(low)
}

/// The quotient, rounded towards zero, and the remainder: one machine instruction if the number
/// fits in 64 bits, whereas a 128-bit division is a call.
@inline(__always)
private func divide(_ number: Int128, by divisor: Int64) -> (quotient: Int128, remainder: Int128) {
  guard let small = Int64(exactly: number) else {
    return number.quotientAndRemainder(dividingBy: Int128(divisor))
  }
  let (quotient, remainder) = small.quotientAndRemainder(dividingBy: divisor)
  return (Int128(quotient), Int128(remainder))
}
