extension Backoff {
  /// Makes `exponential(from:factor:)` from values known only at run time; also `constant(_:)` with
  /// a factor of 1, and `decorrelated(from:)` with that jitter.
  ///
  /// - Parameters:
  ///   - base: The first delay.
  ///   - factor: The ratio of a delay to the one before; 1 for a constant delay.
  ///   - cap: The longest delay; nil for no limit.
  ///   - jitter: The jitter of the delays.
  /// - Throws: ``ConfigurationError`` if `base` or `cap` is negative, or `factor` is below 1 or
  ///   not finite.
  public init(
    validating base: Duration, factor: Double = 2, cap: Duration? = nil, jitter: Jitter = .none
  ) throws(ConfigurationError) {
    try Self.check("base", base)
    guard factor >= 1, factor.isFinite else {
      throw ConfigurationError("factor", factor, must: "be finite and at least 1")
    }
    var backoff = Backoff(.exponential(base: Nanoseconds(wait: base), factor: factor))
    backoff.jitter = jitter
    if let cap { backoff = try backoff.capped(validatingAt: cap) }
    self = backoff
  }

  /// As `linear(from:by:)`, but throws ``ConfigurationError`` if a value is negative.
  public init(
    validatingLinear base: Duration, by increment: Duration
  ) throws(ConfigurationError) {
    try Self.check("base", base)
    try Self.check("increment", increment)
    self.init(.linear(base: Nanoseconds(wait: base), increment: Nanoseconds(wait: increment)))
  }

  /// As `fibonacci(from:)`, but throws ``ConfigurationError`` if `base` is negative.
  public init(validatingFibonacci base: Duration) throws(ConfigurationError) {
    try Self.check("base", base)
    self.init(.fibonacci(base: Nanoseconds(wait: base)))
  }

  /// As `floored(at:)`, but throws ``ConfigurationError`` if `floor` is negative.
  public func floored(validatingAt floor: Duration) throws(ConfigurationError) -> Backoff {
    try Self.check("floor", floor)
    return changing(self) { $0.floor = Nanoseconds(wait: floor) }
  }

  /// As `capped(at:)`, but throws ``ConfigurationError`` if `cap` is negative.
  public func capped(validatingAt cap: Duration) throws(ConfigurationError) -> Backoff {
    try Self.check("cap", cap)
    return changing(self) { $0.cap = Nanoseconds(wait: cap) }
  }

  /// Refuses a negative delay.
  static func check(_ parameter: String, _ delay: Duration) throws(ConfigurationError) {
    guard delay >= .zero else {
      throw ConfigurationError(parameter, delay, must: "not be negative")
    }
  }
}
