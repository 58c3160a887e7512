extension KeyedRateLimiter {
  /// As `init(rate:burst:maximumKeys:whenFull:queue:clock:)`, but throws ``ConfigurationError`` for
  /// invalid values, such as ones known only at run time.
  public convenience init(
    validating rate: Rate, burst: Int, maximumKeys: Int, whenFull: FullTable = .forget,
    queue: QueuePolicy = .unlimited, clock: any Clock<Duration> = .dispatch
  ) throws(ConfigurationError) {
    let quota = try Quota(validating: rate, burst: burst)
    try Self.validate(maximumKeys)
    self.init(
      maximumKeys: maximumKeys, whenFull: whenFull, hasOneQuota: true, queue: queue, clock: clock,
      quota: { _ in quota })
  }

  /// As `init(maximumKeys:whenFull:queue:clock:quota:)`, but throws ``ConfigurationError`` if
  /// `maximumKeys` is not positive, such as one known only at run time.
  public convenience init(
    validatingMaximumKeys maximumKeys: Int, whenFull: FullTable = .forget,
    queue: QueuePolicy = .unlimited, clock: any Clock<Duration> = .dispatch,
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
