/// The refill rate of a limit: an exact ratio of tokens to time.
///
/// ```swift
/// Rate.perSecond(100)
/// Rate(5, per: .seconds(7))
/// Rate.every(.milliseconds(250))
/// ```
///
/// A rate is stored as a reduced fraction and never rounded, so a limit neither drifts nor
/// overflows, from one token a month to many a nanosecond. Equivalent rates are equal, such as
/// `Rate.perSecond(100)` and `Rate.every(.milliseconds(10))`.
///
/// The extremes are `Rate.unlimited`, which lets everything pass, and `Rate.none`, with which a
/// limit grants only what it holds.
public struct Rate: Hashable, Sendable {
  /// The numerator of the reduced fraction; zero for `none`.
  package let tokens: Int64
  /// The denominator of the reduced fraction, the time in which `tokens` accrue; zero for
  /// `unlimited`.
  package let nanoseconds: Nanoseconds

  private init(tokens: Int64, nanoseconds: Nanoseconds) {
    self.tokens = tokens
    self.nanoseconds = nanoseconds
  }

  /// As `init(_:per:)`, but throws ``ConfigurationError`` for invalid values, such as ones known
  /// only at run time.
  public init(validating count: Int, per period: Duration) throws(ConfigurationError) {
    guard count > 0 else { throw ConfigurationError("count", count, must: "be positive") }
    guard period > .zero else { throw ConfigurationError("period", period, must: "be positive") }
    // Both are in attoseconds, which keeps fractions of a nanosecond.
    let numerator = Int128(count) * 1_000_000_000
    let denominator = period.attoseconds
    let divisor = greatestCommonDivisor(numerator, denominator)
    guard let tokens = Int64(exactly: numerator / divisor),
      let nanoseconds = Nanoseconds(exactly: denominator / divisor)
    else {
      throw ConfigurationError("period", period, must: "give a ratio that fits in 64 bits")
    }
    self.tokens = tokens
    self.nanoseconds = nanoseconds
  }

  /// Makes a rate of `count` tokens per period.
  ///
  /// - Parameters:
  ///   - count: The number of tokens per period.
  ///   - period: The length of a period.
  /// - Precondition: `count` and `period` are positive, and their reduced ratio fits in 64 bits.
  public init(_ count: Int, per period: Duration) {
    self = ConfigurationError.trapping(try Rate(validating: count, per: period))
  }

  /// A rate of `count` tokens a second.
  ///
  /// - Precondition: `count` is positive.
  public static func perSecond(_ count: Int) -> Rate { Rate(count, per: .seconds(1)) }

  /// A rate of `count` tokens a minute.
  ///
  /// - Precondition: `count` is positive.
  public static func perMinute(_ count: Int) -> Rate { Rate(count, per: .seconds(60)) }

  /// A rate of `count` tokens an hour.
  ///
  /// - Precondition: `count` is positive.
  public static func perHour(_ count: Int) -> Rate { Rate(count, per: .seconds(3600)) }

  /// A rate of one token per `interval`.
  ///
  /// - Precondition: `interval` is positive.
  public static func every(_ interval: Duration) -> Rate { Rate(1, per: interval) }

  /// No limit: every cost is allowed, even above the burst.
  public static var unlimited: Rate { Rate(tokens: 1, nanoseconds: 0) }

  /// No refill: a limit grants what it holds and what is added to it.
  public static var none: Rate { Rate(tokens: 0, nanoseconds: 1) }
}

extension Rate {
  /// An equal share of the rate, nil if the reduced fraction does not fit in 64 bits.
  ///
  /// - Precondition: `count` is positive.
  package func divided(by count: Int) -> Rate? {
    guard self != .unlimited, self != .none else { return self }
    let divisor = greatestCommonDivisor(Int128(tokens), Int128(count))
    let factor = Nanoseconds(Int128(count) / divisor)
    let (product, overflow) = nanoseconds.multipliedReportingOverflow(by: factor)
    return overflow ? nil : Rate(tokens: tokens / Int64(divisor), nanoseconds: product)
  }
}
