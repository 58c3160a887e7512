extension KeyedRateLimiter {
  /// Makes a limiter with the same limit for each key from values known only at run time, as
  /// `init(rate:burst:maximumKeys:whenFull:queue:clock:)` does.
  ///
  /// - Throws: `ConfigurationError` if a precondition does not hold.
  public convenience init(
    validating rate: Rate, burst: Int, maximumKeys: Int, whenFull: FullTable = .forget,
    queue: QueuePolicy = .unlimited, clock: any PacingClock = .dispatch
  ) throws(ConfigurationError) {
    let quota = try Quota(validating: rate, burst: burst)
    try self.init(
      validatingMaximumKeys: maximumKeys, whenFull: whenFull, queue: queue, clock: clock,
      quota: { _ in quota })
  }

  /// Makes a limiter whose keys have separate limits, with a maximum known only at run time, as
  /// `init(maximumKeys:whenFull:queue:clock:quota:)` does.
  ///
  /// - Throws: `ConfigurationError` if `maximumKeys` is not positive.
  public convenience init(
    validatingMaximumKeys maximumKeys: Int, whenFull: FullTable = .forget,
    queue: QueuePolicy = .unlimited, clock: any PacingClock = .dispatch,
    quota: @escaping @Sendable (Key) -> Quota
  ) throws(ConfigurationError) {
    try Self.validate(maximumKeys)
    self.init(
      maximumKeys: maximumKeys, whenFull: whenFull, queue: queue, clock: clock, quota: quota)
  }

  static func validate(_ maximumKeys: Int) throws(ConfigurationError) {
    guard maximumKeys > 0 else {
      throw ConfigurationError("maximumKeys", maximumKeys, must: "be positive")
    }
  }
}
