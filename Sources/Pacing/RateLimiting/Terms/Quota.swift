/// What each key of a `KeyedRateLimiter` may spend: how fast it comes, and how much is saved up.
///
/// ```swift
/// Quota(rate: .perSecond(5), burst: 10)
/// ```
public struct Quota: Hashable, Sendable {
  /// How fast a key's bucket refills.
  public let rate: Rate

  /// How many tokens it holds at most.
  public let burst: Int

  /// Makes a quota.
  ///
  /// - Parameters:
  ///   - rate: How fast a key's bucket refills.
  ///   - burst: How many tokens it holds at most.
  /// - Precondition: `burst` is positive. The rate is not `none`, for that never forgets a key;
  ///   reduced, it has a numerator below 2^32, as all have up to four in a nanosecond.
  public init(rate: Rate, burst: Int) {
    self = ConfigurationError.trapping { () throws(ConfigurationError) in
      try Quota(validating: rate, burst: burst)
    }
  }

  /// Makes a quota from settings that are not part of the program.
  ///
  /// - Parameters:
  ///   - rate: How fast a key's bucket refills.
  ///   - burst: How many tokens it holds at most.
  /// - Throws: `ConfigurationError` where a precondition of `init(rate:burst:)` does not hold.
  public init(validating rate: Rate, burst: Int) throws(ConfigurationError) {
    guard burst > 0 else { throw ConfigurationError("burst", burst, must: "be positive") }
    guard rate != .none else { throw ConfigurationError("rate", rate, must: "not be none") }
    guard UInt32(exactly: rate.tokens) != nil else {
      throw ConfigurationError("rate", rate, must: "have a numerator below 2^32")
    }
    self.rate = rate
    self.burst = burst
  }
}
