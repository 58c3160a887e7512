/// What is retried, how often, and how long after a failure: a value that `retry` follows.
///
/// ```swift
/// let policy = RetryPolicy(
///   backoff: .exponential(from: .milliseconds(100)).capped(at: .seconds(20)).jittered(.full),
///   maximumAttempts: 5, maximumDuration: .seconds(60), attemptTimeout: .seconds(10),
///   retryIf: { $0 is TransientError },
///   onGiveUp: { log("gave up: \($0.reason) after \($0.attempts)") })
/// let page = try await retry(policy) { attempt in try await fetch() }
/// ```
///
/// Rarer settings are methods that return a changed copy: `obeyingHints(atMost:)`, `advised(by:)`,
/// `limited(by:within:)`, `sharing(_:)`, `resetting(afterHealthy:)`, `beforeAttempt(_:)`,
/// `afterAttempt(_:)` and `onGiveUp(_:)`.
///
/// ## Timing
/// If the next attempt could not begin before the deadline, the policy gives up immediately. It
/// looks at the deadline again when a wait has ended: a late wake makes no attempt.
///
/// ## Concurrency
/// Predicates and hooks of a retry run one at a time, outside every lock: where the operation runs,
/// and in a task of the retry in the closure form.
public struct RetryPolicy: Sendable {
  /// How long to wait before each retry.
  public private(set) var backoff: Backoff

  /// The largest number of attempts, the first included; nil for no limit.
  public private(set) var maximumAttempts: Int?

  /// How long after the first attempt began the last one may begin; nil for no limit.
  public private(set) var maximumDuration: Duration?

  /// The longest time for each attempt; nil for no limit.
  public private(set) var attemptTimeout: Duration?

  /// What of a server's delay counts at most.
  public private(set) var maximumHint = BackoffDelays.maximumHint

  /// How long an attempt runs to count as healthy; nil for never.
  public private(set) var healthyPeriod: Duration?

  let retryIf: @Sendable (any Error) -> Bool
  package private(set) var onGiveUp: @Sendable (GiveUp) -> Void

  private var advice: @Sendable (any Error) -> RetryAdvice? = { _ in nil }
  private(set) var limit: (any AwaitableLimit)?
  private(set) var limitPatience = Nanoseconds.never
  private(set) var budget: RetryBudget?
  private(set) var beforeAttempt: @Sendable (Attempt) -> Void = { _ in }
  private(set) var afterAttempt: @Sendable (AttemptReport) -> Void = { _ in }

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - backoff: How long to wait before each retry.
  ///   - maximumAttempts: How many attempts are made at most, the first one included; nil for as
  ///     many as it takes.
  ///   - maximumDuration: How long after the first attempt began the last one may begin; nil for no
  ///     limit.
  ///   - attemptTimeout: The longest time for each attempt, or what is left before the deadline if
  ///     that is less; nil for no limit. An attempt that takes longer is cancelled and fails with a
  ///     ``TimeoutError``. If the operation's `Failure` cannot be one, its own result counts.
  ///   - retryIf: Whether a failure is retried. The cancellation of the task never is.
  ///   - onGiveUp: Called when no further attempt is made, before the failure is thrown.
  /// - Precondition: `maximumAttempts` and `attemptTimeout` are positive, and `maximumDuration` is
  ///   not negative.
  public init(
    backoff: Backoff, maximumAttempts: Int? = 3, maximumDuration: Duration? = nil,
    attemptTimeout: Duration? = nil,
    retryIf: @escaping @Sendable (any Error) -> Bool = { _ in true },
    onGiveUp: @escaping @Sendable (GiveUp) -> Void = { _ in }
  ) {
    self.backoff = backoff
    self.maximumAttempts = maximumAttempts
    self.maximumDuration = maximumDuration
    self.attemptTimeout = attemptTimeout
    self.retryIf = retryIf
    self.onGiveUp = onGiveUp
    if let defect { fatalError(defect.description) }
  }

  /// This policy with another bound on the delays that a server names than 24 hours.
  ///
  /// A hint, such as `Retry-After`, raises the backoff's delay and never lowers it: the longer of
  /// the two is waited for. A hint of zero, or a date that has passed, therefore means the
  /// backoff's own delay. The cap of the backoff does not bind a hint; this bound does, and zero,
  /// or a negative one, ignores hints. With a backoff that has come to 2 s:
  ///
  ///     the server names                    0 s     1 s     30 s
  ///     24 hours, the default                 2       2       30
  ///     obeyingHints(atMost: .seconds(10))    2       2       10
  ///     obeyingHints(atMost: .zero)           2       2        2
  ///
  /// The backoff still advances. The policy's deadline counts as for every other delay.
  public func obeyingHints(atMost bound: Duration) -> RetryPolicy {
    changing(self) { $0.maximumHint = bound }
  }

  /// This policy with advice on errors that do not bring their own.
  ///
  /// ```swift
  /// policy.advised { ($0 as? HTTPError)?.retryAfter.map { .retry(after: $0) } }
  /// ```
  ///
  /// The closure is asked about errors that `retryIf` retries; nil is for the error's own advice,
  /// or else a retry after the backoff's delay.
  public func advised(
    by advice: @escaping @Sendable (any Error) -> RetryAdvice?
  ) -> RetryPolicy {
    changing(self) { $0.advice = advice }
  }

  /// This policy at the pace of a limit that others may share: each attempt acquires a cost of one.
  ///
  /// The limit follows the same clock. A refusal is a failed attempt with an ``AcquireError``: a
  /// wait that it names raises the backoff's delay, as a server's does, and a limit that can never
  /// grant the cost ends the retry. A wait longer than `timeout`, nil for no bound, or one that
  /// would not end before the policy's deadline is refused. It is no part of the `attemptTimeout`.
  public func limited(
    by limit: some AwaitableLimit, within timeout: Duration? = nil
  ) -> RetryPolicy {
    changing(self) {
      $0.limit = limit
      // A wait of exactly the timeout is granted.
      $0.limitPatience = timeout.map { Nanoseconds(wait: $0).adding(1) } ?? .never
    }
  }

  /// This policy within a budget that other policies may share.
  public func sharing(_ budget: RetryBudget) -> RetryPolicy {
    changing(self) { $0.budget = budget }
  }

  /// This policy for operations that are meant to last, such as a connection.
  ///
  /// An attempt that ran for the period before it failed was healthy: the count of the attempts,
  /// their time and the backoff begin again with it, as if it had been the first, and the budget
  /// gets back what it took. If the period is not positive, any attempt was healthy.
  public func resetting(afterHealthy period: Duration) -> RetryPolicy {
    changing(self) { $0.healthyPeriod = period }
  }

  /// This policy with a hook that receives each attempt before it begins, after the policy's
  /// earlier hooks.
  public func beforeAttempt(_ hook: @escaping @Sendable (Attempt) -> Void) -> RetryPolicy {
    changing(self) { $0.beforeAttempt = both($0.beforeAttempt, hook) }
  }

  /// This policy with a hook that receives a report of each attempt that has ended, after the
  /// policy's earlier hooks, and before `onGiveUp`.
  public func afterAttempt(_ hook: @escaping @Sendable (AttemptReport) -> Void) -> RetryPolicy {
    changing(self) { $0.afterAttempt = both($0.afterAttempt, hook) }
  }

  /// This policy with a hook that is called when no further attempt is made, after the policy's
  /// earlier hooks.
  public func onGiveUp(_ hook: @escaping @Sendable (GiveUp) -> Void) -> RetryPolicy {
    changing(self) { $0.onGiveUp = both($0.onGiveUp, hook) }
  }

  /// What is wrong with the policy; nil if nothing is.
  private var defect: ConfigurationError? {
    if let maximumAttempts, maximumAttempts <= 0 {
      return ConfigurationError("maximumAttempts", maximumAttempts, must: "be positive")
    }
    if let maximumDuration, maximumDuration < .zero {
      return ConfigurationError("maximumDuration", maximumDuration, must: "not be negative")
    }
    if let attemptTimeout, attemptTimeout <= .zero {
      return ConfigurationError("attemptTimeout", attemptTimeout, must: "be positive")
    }
    return nil
  }

  /// Why there is no further attempt after this many; nil if there is one.
  package func refusal(
    afterAttempt number: Int, elapsed: Nanoseconds, delay: Nanoseconds
  ) -> GiveUp.Reason? {
    if let maximum = maximumAttempts, number >= maximum { return .exhausted }
    if let left = timeLeft(elapsed: elapsed), delay >= left { return .deadline }
    return nil
  }

  /// How much of the time is left; nil if there is no deadline.
  func timeLeft(elapsed: Nanoseconds) -> Nanoseconds? {
    maximumDuration.map { max(0, Nanoseconds(wait: $0) - elapsed) }
  }

  /// What is to be done about a failure: nothing if it advises that itself or the policy refuses,
  /// else what the policy advises, then what the error does.
  func advice(on error: any Error) -> RetryAdvice {
    let own = (error as? any RetryAdvising)?.retryAdvice
    guard own?.isPermanent != true, retryIf(error) else { return .permanent }
    return advice(error) ?? own ?? .retry
  }
}

extension RetryPolicy: Codable {
  private enum CodingKeys: CodingKey {
    case backoff, maximumAttempts, maximumDuration, attemptTimeout, maximumHint, healthyPeriod
  }

  /// Decodes a policy without closures, a limit and a budget, which are not encoded either.
  ///
  /// ```swift
  /// let policy = try decoder.decode(RetryPolicy.self, from: file)
  ///   .advised { $0 is TransientError ? nil : .permanent }
  ///   .onGiveUp { log("gave up: \($0.reason)") }
  /// ```
  ///
  /// - Throws: `DecodingError`, also for values that no policy can have.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    backoff = try values.decode(Backoff.self, forKey: .backoff)
    maximumAttempts = try values.decodeIfPresent(Int.self, forKey: .maximumAttempts)
    maximumDuration = try values.decodeIfPresent(Duration.self, forKey: .maximumDuration)
    attemptTimeout = try values.decodeIfPresent(Duration.self, forKey: .attemptTimeout)
    maximumHint = try values.decode(Duration.self, forKey: .maximumHint)
    healthyPeriod = try values.decodeIfPresent(Duration.self, forKey: .healthyPeriod)
    retryIf = { _ in true }
    onGiveUp = { _ in }
    try DecodingError.wrapping(at: decoder.codingPath) { [defect] in
      if let defect { throw defect }
    }
  }
}

/// The two hooks as one, in this order.
private func both<Subject>(
  _ first: @escaping @Sendable (Subject) -> Void, _ second: @escaping @Sendable (Subject) -> Void
) -> @Sendable (Subject) -> Void {
  {
    first($0)
    second($0)
  }
}
