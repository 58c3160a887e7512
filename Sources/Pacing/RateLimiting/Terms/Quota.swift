/// The rate and burst of each key of a ``KeyedRateLimiter``.
///
/// ```swift
/// Quota(rate: .perSecond(5), burst: 10)
/// ```
public struct Quota: Hashable, Sendable {
  /// The refill rate of a key's bucket.
  public let rate: Rate

  /// The most tokens that the bucket holds; of a key never more than come in 200 years.
  public let burst: Int

  /// The burst of a key in a table, at most what comes in 200 years: a debt must fit in a stamp.
  let keptBurst: Int

  /// Creates a quota.
  ///
  /// - Precondition: `burst` is positive. The rate is not `none`, and its reduced numerator is
  ///   below 2^32, as for every whole number of tokens per second below 2^32.
  public init(rate: Rate, burst: Int) {
    self = ConfigurationError.trapping(try Quota(checking: rate, burst: burst))
  }

  package init(checking rate: Rate, burst: Int) throws(ConfigurationError) {
    guard burst > 0 else { throw ConfigurationError("burst", burst, must: "be positive") }
    guard rate != .none else { throw ConfigurationError("rate", rate, must: "not be none") }
    guard UInt32(exactly: rate.tokens) != nil else {
      throw ConfigurationError("rate", rate, must: "have a numerator below 2^32")
    }
    self.rate = rate
    self.burst = burst
    let capacity = Int128(burst) * Int128(rate.nanoseconds)
    let most = Int128(rate.tokens) * 6_311_520_000_000_000_000
    keptBurst = capacity > most ? max(1, Int(clamping: most / Int128(rate.nanoseconds))) : burst
  }
}

extension Quota: Codable {
  private enum CodingKeys: CodingKey { case rate, burst }

  /// Reads the rate as text, and the burst.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let rate = try container.decode(Rate.self, forKey: .rate)
    let burst = try container.decode(Int.self, forKey: .burst)
    self = try DecodingError.wrapping(at: container.codingPath) {
      try Quota(checking: rate, burst: burst)
    }
  }
}
