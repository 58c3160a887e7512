/// The unit in which a bucket counts both time and tokens, so that everything is a whole number.
///
/// At a rate of `tokens` in `nanoseconds`, one unit is the time `1 / tokens` ns: a nanosecond is
/// `tokens` units long, and a token takes `nanoseconds` units to come. A unit may be any whole part
/// of that; a change of the rate makes it so small that the level stays a whole number.
///
/// At the ends both stay right by themselves: unlimited, a token takes no units; with no rate, a
/// nanosecond has none. Each product of two 64-bit numbers has room in 126 bits, and the sum of any
/// two of them in 127; whatever adds more saturates.
struct BucketScale: Sendable {
  let rate: Rate
  let burst: Int
  /// How many units a nanosecond has.
  let unitsPerNanosecond: Int64
  /// How many units a token has.
  let unitsPerToken: Int64
  /// The units of a full bucket.
  let capacity: Int128
  /// The instants at which tokens come, nil if they come all the time.
  let grid: Grid?
  /// Whether a cost may be above the burst.
  let overdraft: Overdraft.Kind

  init(
    rate: Rate, burst: Int, grid: Grid? = nil, overdraft: Overdraft.Kind = .none,
    fineness: Int64 = 1
  ) {
    self.rate = rate
    self.burst = burst
    self.grid = grid
    self.overdraft = overdraft
    unitsPerNanosecond = rate.tokens * fineness
    unitsPerToken = rate.nanoseconds * fineness
    capacity = product(Int64(burst), unitsPerToken)
  }

  /// Whether any cost is there at any time.
  var isUnlimited: Bool { unitsPerToken == 0 }

  /// The units since the clock's origin, at which the last tokens before `instant` came.
  @inline(__always)
  func time(_ instant: PacingInstant) -> Int128 {
    let instant = grid.map { $0.last(until: instant) } ?? instant
    return product(instant.nanoseconds, unitsPerNanosecond)
  }

  /// The first instant that is not before that time, saturating.
  func instant(_ time: Int128) -> PacingInstant {
    guard unitsPerNanosecond > 0 else {
      return time > 0 ? .distantFuture : PacingInstant(nanoseconds: .min)
    }
    let (quotient, remainder) = time.quotientAndRemainder(dividingBy: Int128(unitsPerNanosecond))
    // The quotient truncates towards zero, which is up for what lies before the clock's origin.
    return PacingInstant(nanoseconds: Nanoseconds(clamping: quotient + (remainder > 0 ? 1 : 0)))
  }

  /// The first time that is not before `time` and at which tokens come.
  @inline(__always)
  func next(_ time: Int128) -> Int128 {
    guard let grid else { return time }
    return next(time, on: grid)
  }

  /// The first whole nanosecond that is not before that time.
  func wholeNanosecond(_ time: Int128) -> Int128 {
    let instant = instant(time)
    guard instant != .distantFuture, unitsPerNanosecond > 0 else { return time }
    return product(instant.nanoseconds, unitsPerNanosecond)
  }

  private func next(_ time: Int128, on grid: Grid) -> Int128 {
    let instant = instant(time)
    guard instant != .distantFuture, unitsPerNanosecond > 0 else { return time }
    return product(grid.first(from: instant).nanoseconds, unitsPerNanosecond)
  }

  /// The units in which that many tokens come.
  @inline(__always)
  func units(_ tokens: Int) -> Int128 {
    product(Int64(tokens), unitsPerToken)
  }

  /// The units in which that many tokens come, saturating.
  func units(_ tokens: Int128) -> Int128 {
    Int64(exactly: tokens).map { product($0, unitsPerToken) } ?? (isUnlimited ? 0 : .max)
  }

  /// The tokens that have come in that many units, rounded down; more than can be counted where
  /// they come without limit.
  func tokens(_ units: Int128) -> Int128 {
    guard !isUnlimited else { return units < 0 ? 0 : Int128(burst) }
    let (quotient, remainder) = units.quotientAndRemainder(dividingBy: Int128(unitsPerToken))
    return quotient - (remainder < 0 ? 1 : 0)
  }
}

/// The product in full; one machine instruction, where a multiplication of 128-bit numbers is a
/// call.
@inline(__always)
private func product(_ first: Int64, _ second: Int64) -> Int128 {
  let (high, low) = first.multipliedFullWidth(by: second)
  return Int128(high) << 64 | Int128(low)
}
