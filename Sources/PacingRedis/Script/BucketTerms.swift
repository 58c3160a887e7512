internal import Pacing

/// A quota in the units of the script, and decisions from a bucket's debt in them.
///
/// A rate of `n` tokens in `d` nanoseconds is reduced to `speed / period = 1000 n / d`: a
/// microsecond has `speed` units, a token `period`.
struct BucketTerms: Hashable, Sendable {
  let burst: Int
  /// The units that come in a microsecond.
  let speed: Int64
  /// The units of a token; zero if there is no limit.
  let period: Int64

  /// The largest number up to which the doubles of Lua are exact.
  static let largest: Int64 = 1 << 53

  /// The units of a full bucket.
  var capacity: Int64 { Int64(burst) * period }

  var isUnlimited: Bool { period == 0 }

  init(_ quota: Quota) throws(ConfigurationError) {
    let units = Int128(quota.rate.tokens) * 1000
    let divisor = Self.greatestCommonDivisor(units, Int128(quota.rate.nanoseconds))
    let speed = units / divisor
    let period = Int128(quota.rate.nanoseconds) / divisor
    guard speed <= Self.largest, Int128(quota.burst) * period <= Self.largest else {
      throw ConfigurationError(
        "quota", quota, must: "have a burst that comes in less than 2^53 units of its rate")
    }
    burst = quota.burst
    self.speed = Int64(speed)
    self.period = Int64(period)
  }

  init(burst: Int, speed: Int64, period: Int64) {
    self.burst = burst
    self.speed = speed
    self.period = period
  }

  /// The units of a cost, at most what the script can hold.
  func units(_ cost: Int) -> Int64 {
    Int64(clamping: min(Int128(cost) * Int128(period), Int128(Self.largest)))
  }

  /// The tokens that a bucket with that debt holds; negative if more was taken than it held.
  func tokens(debt: Int64) -> Int {
    let (quotient, rest) = (capacity - debt).quotientAndRemainder(dividingBy: period)
    return Int(quotient) - (rest < 0 ? 1 : 0)
  }

  /// The time until a bucket with that debt holds the cost, zero if it does, in whole microseconds.
  ///
  /// - Precondition: The cost is at most the burst.
  func wait(for cost: Int, debt: Int64) -> Duration {
    time(debt + Int64(cost) * period - capacity)
  }

  /// The time in which that many units come, in whole microseconds.
  func time(_ units: Int64) -> Duration {
    guard units > 0 else { return .zero }
    let (quotient, rest) = units.quotientAndRemainder(dividingBy: speed)
    return .microseconds(quotient + (rest > 0 ? 1 : 0))
  }

  /// The answer to a caller: `debt` is the bucket's after the answer, and `age` the time since it
  /// had that, which waits are reduced by.
  func decision(
    _ cost: Int, isAllowed: Bool, debt: Int64, age: Duration = .zero, source: DecisionSource
  ) -> Decision {
    let wait: Duration? =
      isAllowed ? .zero : cost > burst ? nil : max(.zero, self.wait(for: cost, debt: debt) - age)
    return Decision(
      isAllowed: isAllowed, remaining: max(0, tokens(debt: debt)), retryAfter: wait,
      resetAfter: max(.zero, time(debt) - age), source: source)
  }

  private static func greatestCommonDivisor(_ first: Int128, _ second: Int128) -> Int128 {
    var (larger, smaller) = (first, second)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    return larger
  }
}
