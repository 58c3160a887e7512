extension RetryPolicy {
  /// What a policy has that is not a closure or shared: its settings as a value, for configuration
  /// and comparison.
  public struct Settings: Equatable, Codable, Sendable {
    /// How long to wait before each retry.
    public var backoff: Backoff

    /// The largest number of attempts, the first included; nil for no limit.
    public var maximumAttempts: Int?

    /// How long after the first attempt began the last one may begin; nil for no limit.
    public var maximumDuration: Duration?

    /// Whether one of the two limits is enough to give up.
    public var stop: Stop

    /// How a server's delay changes the backoff's.
    public var hints: HintPolicy

    /// How long an attempt runs to count as healthy; nil for never.
    public var healthyPeriod: Duration?
  }

  /// The policy's settings.
  public var settings: Settings {
    Settings(
      backoff: backoff, maximumAttempts: maximumAttempts, maximumDuration: maximumDuration,
      stop: stop,
      hints: hints,
      healthyPeriod: healthyPeriod == .never ? nil : Duration(nanoseconds: healthyPeriod))
  }

  /// Makes a policy from settings that are known only at run time.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - retryIf: Whether a failure is retried. A cancellation never is.
  ///   - onGiveUp: Called when no further attempt is made, before the failure is thrown.
  /// - Throws: ``ConfigurationError`` if `maximumAttempts` is not positive or `maximumDuration` is
  ///   negative.
  public init(
    validating settings: Settings,
    retryIf: @escaping @Sendable (any Error) -> Bool = { _ in true },
    onGiveUp: @escaping @Sendable (GiveUp) -> Void = { _ in }
  ) throws(ConfigurationError) {
    try self.init(
      validating: settings.backoff, maximumAttempts: settings.maximumAttempts,
      maximumDuration: settings.maximumDuration, stop: settings.stop, retryIf: retryIf,
      onGiveUp: onGiveUp)
    hints = settings.hints
    healthyPeriod = settings.healthyPeriod.map(Nanoseconds.init(wait:)) ?? .never
  }
}

extension RetryPolicy: CustomStringConvertible {
  /// A line for a log: "exponential from 100 ms, at most 20 s, full jitter; 5 attempts".
  public var description: String {
    var limits = [String]()
    if let maximumAttempts {
      limits.append(maximumAttempts == 1 ? "1 attempt" : "\(maximumAttempts) attempts")
    }
    if let maximumDuration {
      limits.append("within \(Nanoseconds(wait: maximumDuration).shortText)")
    }
    let text = limits.joined(separator: stop.isAny ? ", " : " and ")
    return "\(backoff); \(limits.isEmpty ? "any number of attempts" : text)"
  }
}
