/// What is retried, how often, and how long after a failure: a value that `retry` follows.
///
/// ```swift
/// let policy = RetryPolicy(
///   backoff: .exponential(from: .milliseconds(100)).capped(at: .seconds(20)).jittered(.full),
///   maximumAttempts: 5, maximumDuration: .seconds(60),
///   retryIf: { $0 is TransientError },
///   onGiveUp: { log("gave up: \($0.reason) after \($0.attempts)") })
/// let page = try await retry(policy) { attempt in try await fetch() }
/// ```
///
/// Rarer settings are methods that return a changed copy: `obeying(_:)`, `advised(by:)`,
/// `sharing(_:)`, `resetting(afterHealthy:)`, `beforeAttempt(_:)` and `afterAttempt(_:)`.
///
/// ## Timing
/// If the next attempt could not begin before the deadline, the policy gives up immediately. It
/// looks at the deadline again when a wait has ended: a late wake makes no attempt.
///
/// ## Concurrency
/// Predicates and hooks of a retry run one at a time, outside every lock: where the operation runs,
/// and in the closure form also on the thread that calls `finish`.
public struct RetryPolicy: Sendable {
  /// When a policy with several limits gives up.
  public struct Stop: Hashable, Sendable, Codable {
    let isAny: Bool

    /// When one of the limits is reached: the default.
    public static var any: Stop { Stop(isAny: true) }

    /// When all of the limits are reached.
    public static var all: Stop { Stop(isAny: false) }
  }

  /// How long to wait before each retry.
  public let backoff: Backoff

  /// How many attempts are made at most, the first one included; nil for as many as it takes.
  public let maximumAttempts: Int?

  /// How long after the first attempt began the last one may begin; nil for no limit.
  public let maximumDuration: Duration?

  /// Whether one of the two limits is enough to give up.
  public let stop: Stop

  /// Whether a failure is retried; never asked about a `CancellationError`.
  let retryIf: @Sendable (any Error) -> Bool

  /// Receives the end if it is not a success.
  package let onGiveUp: @Sendable (GiveUp) -> Void

  var hints = HintPolicy.obeyed
  var advice: @Sendable (any Error) -> RetryAdvice? = { _ in nil }
  var budget: RetryBudget?
  var healthyPeriod = Nanoseconds.never
  var beforeAttempt: @Sendable (Attempt) -> Void = { _ in }
  var afterAttempt: @Sendable (AttemptReport) -> Void = { _ in }

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - backoff: How long to wait before each retry.
  ///   - maximumAttempts: How many attempts are made at most, the first one included; nil for as
  ///     many as it takes.
  ///   - maximumDuration: How long after the first attempt began the last one may begin; nil for no
  ///     limit.
  ///   - stop: Whether one of the two limits is enough to give up.
  ///   - retryIf: Whether a failure is retried. A cancellation never is.
  ///   - onGiveUp: Called when no further attempt is made, before the failure is thrown.
  /// - Precondition: `maximumAttempts` is positive, and `maximumDuration` is not negative.
  public init(
    backoff: Backoff, maximumAttempts: Int? = 3, maximumDuration: Duration? = nil,
    stop: Stop = .any,
    retryIf: @escaping @Sendable (any Error) -> Bool = { _ in true },
    onGiveUp: @escaping @Sendable (GiveUp) -> Void = { _ in }
  ) {
    self = ConfigurationError.trapping(
      try RetryPolicy(
        validating: backoff, maximumAttempts: maximumAttempts, maximumDuration: maximumDuration,
        stop: stop,
        retryIf: retryIf, onGiveUp: onGiveUp))
  }

  /// As `init(backoff:maximumAttempts:maximumDuration:stop:retryIf:onGiveUp:)`, but throws
  /// ``ConfigurationError`` for invalid values, such as ones known only at run time.
  public init(
    validating backoff: Backoff, maximumAttempts: Int? = 3, maximumDuration: Duration? = nil,
    stop: Stop = .any, retryIf: @escaping @Sendable (any Error) -> Bool = { _ in true },
    onGiveUp: @escaping @Sendable (GiveUp) -> Void = { _ in }
  ) throws(ConfigurationError) {
    if let maximumAttempts, maximumAttempts <= 0 {
      throw ConfigurationError("maximumAttempts", maximumAttempts, must: "be positive")
    }
    if let maximumDuration { try Backoff.check("maximumDuration", maximumDuration) }
    self.backoff = backoff
    self.maximumAttempts = maximumAttempts
    self.maximumDuration = maximumDuration
    self.stop = stop
    self.retryIf = retryIf
    self.onGiveUp = onGiveUp
  }

  /// Why there is no further attempt after this many; nil if there is one.
  package func refusal(
    afterAttempt number: Int, elapsed: Nanoseconds, delay: Nanoseconds
  ) -> GiveUp.Reason? {
    let isExhausted = maximumAttempts.map { number >= $0 }
    let isOverdue = maximumDuration.map { elapsed.adding(delay) >= Nanoseconds(wait: $0) }
    let isOver =
      stop.isAny
      ? isExhausted ?? false || isOverdue ?? false
      : (isExhausted ?? isOverdue ?? false) && isOverdue ?? true
    guard isOver else { return nil }
    return isExhausted == true ? .exhausted : .deadline
  }

  /// How much of the time is left; nil if there is no deadline.
  func timeLeft(elapsed: Nanoseconds) -> Nanoseconds? {
    // If all limits must be reached, the deadline alone ends nothing.
    guard let maximumDuration, stop.isAny || maximumAttempts == nil else { return nil }
    return max(0, Nanoseconds(wait: maximumDuration) - elapsed)
  }

  /// What is to be done about a failure: the policy's own refusal, its advice, and the error's.
  func advice(on error: any Error) -> RetryAdvice {
    .on(error) { retryIf($0) ? advice($0) : .permanent }
  }
}
