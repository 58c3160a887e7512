/// The unit in which a bucket counts both time and tokens, so that everything is a whole number.
///
/// At a rate of `tokens` in `nanoseconds`, one unit is the time `1 / tokens` ns: a nanosecond is
/// `tokens` units long, and a token takes `nanoseconds` units to come. Each product of two 64-bit
/// numbers has room in 126 bits, and the sum of any two of them in 127.
struct BucketScale: Sendable {
  let rate: Rate
  let burst: Int
  /// The units of a full bucket.
  let capacity: Int128

  init(rate: Rate, burst: Int) {
    self.rate = rate
    self.burst = burst
    capacity = product(Int64(burst), rate.nanoseconds)
  }

  /// The units since the clock's origin.
  @inline(__always)
  func time(_ instant: PacingInstant) -> Int128 {
    product(instant.nanoseconds, rate.tokens)
  }

  /// The units in which that many tokens come.
  @inline(__always)
  func time(tokens: Int) -> Int128 {
    product(Int64(tokens), rate.nanoseconds)
  }

  /// The units in which that many tokens come, nil where they are beyond all counting.
  func time(tokens: Int128) -> Int128? {
    Int64(exactly: tokens).map { product($0, rate.nanoseconds) }
  }

  /// The tokens that have come in that many units, rounded down.
  func tokens(_ units: Int128) -> Int128 {
    units / Int128(rate.nanoseconds)
  }

  /// The nanoseconds in that many units, rounded up, saturating.
  func nanoseconds(_ units: Int128) -> Nanoseconds {
    let (quotient, remainder) =
      rate.tokens == 1 ? (units, 0) : units.quotientAndRemainder(dividingBy: Int128(rate.tokens))
    // The quotient truncates towards zero, which is up for what lies before the clock's origin.
    return Nanoseconds(clamping: quotient + (remainder > 0 ? 1 : 0))
  }
}

/// The product in full; one machine instruction, where a multiplication of 128-bit numbers is a call.
@inline(__always)
private func product(_ first: Int64, _ second: Int64) -> Int128 {
  let (high, low) = first.multipliedFullWidth(by: second)
  return Int128(high) << 64 | Int128(low)
}
