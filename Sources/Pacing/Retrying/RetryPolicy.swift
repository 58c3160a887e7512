/// What is retried, how often, and how long after a failure: a value that `retry` follows.
///
/// ```swift
/// let policy = RetryPolicy(
///   backoff: .exponential(from: .milliseconds(100)).capped(at: .seconds(20)).jittered(.full),
///   maximumAttempts: 5, deadline: .seconds(60),
///   retryIf: { $0 is TransientError },
///   onGiveUp: { log("gave up: \($0.reason) after \($0.attempts)") })
/// let page = try await retry(policy) { attempt in try await fetch() }
/// ```
///
/// ## Timing
/// A retry is waited for only if it can begin before the deadline: where it could begin exactly then,
/// or later, the policy gives up at once.
public struct RetryPolicy: Sendable {
  /// How long to wait before each retry.
  public let backoff: Backoff

  /// How many attempts are made at most, the first one included; nil for as many as it takes.
  public let maximumAttempts: Int?

  /// How long after the first attempt began the last one may begin; nil for no limit.
  public let deadline: Duration?

  /// Whether a failure is retried; never asked about a `CancellationError`.
  package let retryIf: @Sendable (any Error) -> Bool

  /// What is told of the end, where it is not a success.
  package let onGiveUp: @Sendable (GiveUp) -> Void

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - backoff: How long to wait before each retry.
  ///   - maximumAttempts: How many attempts are made at most, the first one included; nil for as many
  ///     as it takes.
  ///   - deadline: How long after the first attempt began the last one may begin; nil for no limit.
  ///   - retryIf: Whether a failure is retried. A cancellation never is.
  ///   - onGiveUp: Called when no further attempt is made, before the failure is thrown.
  /// - Precondition: `maximumAttempts` is positive, and `deadline` is not negative.
  public init(
    backoff: Backoff, maximumAttempts: Int? = 3, deadline: Duration? = nil,
    retryIf: @escaping @Sendable (any Error) -> Bool = { _ in true },
    onGiveUp: @escaping @Sendable (GiveUp) -> Void = { _ in }
  ) {
    self = ConfigurationError.trapping { () throws(ConfigurationError) in
      try RetryPolicy(
        validating: backoff, maximumAttempts: maximumAttempts, deadline: deadline,
        retryIf: retryIf, onGiveUp: onGiveUp)
    }
  }

  /// Makes a policy from settings that are not part of the program.
  ///
  /// - Parameters:
  ///   - backoff: How long to wait before each retry.
  ///   - maximumAttempts: How many attempts are made at most, the first one included; nil for as many
  ///     as it takes.
  ///   - deadline: How long after the first attempt began the last one may begin; nil for no limit.
  ///   - retryIf: Whether a failure is retried. A cancellation never is.
  ///   - onGiveUp: Called when no further attempt is made, before the failure is thrown.
  /// - Throws: `ConfigurationError` where `maximumAttempts` is not positive or `deadline` is negative.
  public init(
    validating backoff: Backoff, maximumAttempts: Int? = 3, deadline: Duration? = nil,
    retryIf: @escaping @Sendable (any Error) -> Bool = { _ in true },
    onGiveUp: @escaping @Sendable (GiveUp) -> Void = { _ in }
  ) throws(ConfigurationError) {
    if let maximumAttempts, maximumAttempts <= 0 {
      throw ConfigurationError("maximumAttempts", maximumAttempts, must: "be positive")
    }
    if let deadline, deadline < .zero {
      throw ConfigurationError("deadline", deadline, must: "not be negative")
    }
    self.backoff = backoff
    self.maximumAttempts = maximumAttempts
    self.deadline = deadline
    self.retryIf = retryIf
    self.onGiveUp = onGiveUp
  }

  /// Why there is no further attempt after this many, nil where there is one.
  package func refusal(
    afterAttempt number: Int, elapsed: Nanoseconds, delay: Nanoseconds
  ) -> GiveUp.Reason? {
    if let maximumAttempts, number >= maximumAttempts { return .exhausted }
    if let deadline, elapsed.adding(delay) >= Nanoseconds(wait: deadline) { return .deadline }
    return nil
  }
}
