internal import Pacing

/// A quota in the units of the script, and decisions from a bucket's debt in those units.
///
/// A rate of `n` tokens per `d` nanoseconds is reduced to `speed / period = 1000 n / d`: a
/// microsecond is `speed` units, a token `period` units.
struct BucketTerms: Hashable, Sendable {
  let burst: Int
  /// Units that refill per microsecond.
  let speed: Int64
  /// Units per token; zero if the rate is unlimited.
  let period: Int64

  /// The largest integer up to which Lua's doubles are exact.
  static let largest: Int64 = 1 << 53

  /// The units of a full bucket.
  var capacity: Int64 { Int64(burst) * period }

  var isUnlimited: Bool { period == 0 }

  init(_ quota: Quota) throws(ConfigurationError) {
    let units = Int128(quota.rate.tokens) * 1000
    let divisor = greatestCommonDivisor(units, Int128(quota.rate.nanoseconds))
    let speed = units / divisor
    let period = Int128(quota.rate.nanoseconds) / divisor
    guard speed <= Self.largest, Int128(quota.burst) * period <= Self.largest else {
      throw ConfigurationError(
        "quota", "\(quota.rate), burst \(quota.burst)",
        must: "take at most 2^53 units of its rate: lower the burst, or use a simpler rate")
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

  /// The units of a cost, capped at what the script can hold.
  func units(_ cost: Int) -> Int64 {
    Int64(clamping: min(Int128(cost) * Int128(period), Int128(Self.largest)))
  }

  /// The tokens in a bucket with this debt; negative if it is overdrawn.
  func tokens(debt: Int64) -> Int64 {
    let (quotient, rest) = (capacity - debt).quotientAndRemainder(dividingBy: period)
    return quotient - (rest < 0 ? 1 : 0)
  }

  /// The time until a bucket with this debt holds the cost, rounded up to microseconds; zero if it
  /// already does.
  ///
  /// - Precondition: The cost is at most the burst.
  func wait(for cost: Int, debt: Int64) -> Duration {
    time(debt + Int64(cost) * period - capacity)
  }

  /// The time in which `units` refill, rounded up to microseconds.
  func time(_ units: Int64) -> Duration {
    guard units > 0 else { return .zero }
    let (quotient, rest) = units.quotientAndRemainder(dividingBy: speed)
    return .microseconds(quotient + (rest > 0 ? 1 : 0))
  }

  /// The decision for a caller.
  ///
  /// `debt` is the bucket's debt after the request; waits are reduced by `age`, the time since that
  /// debt was reported.
  func decision(
    _ cost: Int, isAllowed: Bool, debt: Int64, age: Duration = .zero, source: Decision.Source
  ) -> Decision {
    let wait: Duration? =
      isAllowed ? .zero : cost > burst ? nil : max(.zero, self.wait(for: cost, debt: debt) - age)
    return Decision(
      isAllowed: isAllowed, remaining: Int(clamping: max(0, tokens(debt: debt))), retryAfter: wait,
      resetAfter: max(.zero, time(debt) - age), source: source)
  }
}
