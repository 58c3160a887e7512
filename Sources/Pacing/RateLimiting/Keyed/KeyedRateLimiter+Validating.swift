extension KeyedRateLimiter {
  /// Makes a limiter with the same limit for each key from settings that are not part of the
  /// program.
  ///
  /// - Parameters:
  ///   - rate: How fast each key's bucket refills.
  ///   - burst: How many tokens it holds at most, and at first.
  ///   - maximumKeys: How many keys are remembered at most.
  ///   - whenFull: What a new key gets when there are that many.
  ///   - clock: The clock that the limiter follows.
  /// - Throws: `ConfigurationError` where a precondition of
  ///   `init(rate:burst:maximumKeys:whenFull:clock:)` does not hold.
  public convenience init(
    validating rate: Rate, burst: Int, maximumKeys: Int, whenFull: FullTable = .refuse,
    clock: any PacingClock = .dispatch
  ) throws(ConfigurationError) {
    let quota = try Quota(validating: rate, burst: burst)
    try self.init(
      validatingMaximumKeys: maximumKeys, whenFull: whenFull, clock: clock, quota: { _ in quota })
  }

  /// Makes a limiter whose keys have limits of their own, with a maximum that is not part of the
  /// program.
  ///
  /// - Parameters:
  ///   - maximumKeys: How many keys are remembered at most.
  ///   - whenFull: What a new key gets when there are that many.
  ///   - clock: The clock that the limiter follows.
  ///   - quota: The limit of a key: always the same one for the same key.
  /// - Throws: `ConfigurationError` where `maximumKeys` is not positive.
  public convenience init(
    validatingMaximumKeys maximumKeys: Int, whenFull: FullTable = .refuse,
    clock: any PacingClock = .dispatch, quota: @escaping @Sendable (Key) -> Quota
  ) throws(ConfigurationError) {
    try Self.validate(maximumKeys)
    self.init(maximumKeys: maximumKeys, whenFull: whenFull, clock: clock, quota: quota)
  }

  static func validate(_ maximumKeys: Int) throws(ConfigurationError) {
    guard maximumKeys > 0 else {
      throw ConfigurationError("maximumKeys", maximumKeys, must: "be positive")
    }
  }
}
