/// One run of a retry as a value: which attempt it is at, and what follows a failure.
///
/// It asks the policy's predicates and takes from its budget, and tells its hooks nothing: `report`
/// says what they are to be told.
package struct RetryState: Sendable {
  /// What follows a failure.
  package enum Step: Sendable {
    /// The next attempt, and when it begins.
    case retry(Attempt, at: PacingInstant)
    /// There is none.
    case giveUp(GiveUp)
  }

  /// The attempt that is being made, or waited for.
  package private(set) var attempt = Attempt(number: 1, delay: .zero)

  private let policy: RetryPolicy
  private var start: PacingInstant
  private var latest: PacingInstant
  /// When the attempt that is being made began.
  private var begun: PacingInstant
  private var delays: BackoffDelays
  /// What the budget gave for the attempt; nil for the first.
  private var taken: Int?

  /// Begins with the first attempt at `start`.
  package init(_ policy: RetryPolicy, start: PacingInstant) {
    self.policy = policy
    self.start = start
    latest = start
    begun = start
    delays = BackoffDelays(policy.backoff)
  }

  /// How much of the policy's time is left, nil where there is no end of it.
  var timeLeft: Nanoseconds? { policy.timeLeft(elapsed: latest - start) }

  /// Notes that the attempt begins.
  package mutating func begin(at now: PacingInstant) {
    latest = max(latest, now)
    begun = latest
    if taken == nil, attempt.number == 1 { policy.budget?.began() }
  }

  /// Notes that the attempt has succeeded.
  mutating func succeeded(at now: PacingInstant) -> AttemptReport {
    policy.budget?.succeeded(afterTaking: taken)
    return report(isSuccess: true, error: nil, at: now)
  }

  /// Decides what follows the failure of the attempt.
  ///
  /// - Parameters:
  ///   - error: The failure; nil for one that is not known, or a result.
  ///   - advice: What is to be done about a result.
  ///   - now: When the attempt ended.
  /// - Returns: What follows.
  package mutating func failed(
    with error: (any Error)?, advice: RetryAdvice? = nil, at now: PacingInstant
  ) -> Step {
    latest = max(latest, now)
    if error is CancellationError { return .giveUp(cancelled(with: error, at: now)) }
    let advice = advice ?? error.map(policy.advice(on:)) ?? .retry
    let isHealthy = latest - begun >= policy.healthyPeriod
    if isHealthy { beginAgain() }
    guard advice.kind != .permanent else { return .giveUp(giveUp(.permanent, with: error)) }
    guard let computed = delays.nextDelay() else {
      return .giveUp(giveUp(.exhausted, with: error))
    }
    let hinted = advice.hint.map { policy.hints.delay(hint: $0, backoff: computed) } ?? computed
    guard let delay = hinted else {
      return .giveUp(giveUp(.refusedHint, needing: advice.hint, with: error))
    }
    if advice.hint != nil, policy.hints.resetsBackoff { delays.reset() }
    return retry(after: delay, advice: advice, error: error)
  }

  private mutating func retry(
    after delay: Nanoseconds, advice: RetryAdvice, error: (any Error)?
  ) -> Step {
    let refusal = policy.refusal(
      afterAttempt: attempt.number, elapsed: latest - start, delay: delay)
    if let refusal {
      return .giveUp(giveUp(refusal, needing: refusal == .deadline ? delay : nil, with: error))
    }
    if let budget = policy.budget {
      guard let cost = budget.take(advice.cost) else {
        return .giveUp(giveUp(.budget, with: error))
      }
      taken = cost
    }
    attempt = Attempt(number: attempt.number.adding(1), delay: Duration(nanoseconds: delay))
    return .retry(attempt, at: latest + delay)
  }

  /// The end by a cancellation while the run waited for `attempt`, or inside it.
  package mutating func cancelled(
    with error: (any Error)?, whileWaiting isWaiting: Bool = false, at now: PacingInstant
  ) -> GiveUp {
    latest = max(latest, now)
    guard isWaiting else { return giveUp(.cancelled, with: error) }
    if let taken { policy.budget?.giveBack(taken) }
    return giveUp(.cancelled, attempts: attempt.number - 1, with: error)
  }

  /// The end by an error that is not the operation's: of whoever judges its results.
  mutating func refused(with error: any Error, at now: PacingInstant) -> GiveUp {
    latest = max(latest, now)
    return giveUp(.permanent, with: error)
  }

  /// What the policy's hook is told of the attempt that has ended.
  func report(
    of ended: Attempt? = nil, isSuccess: Bool = false, error: (any Error)?, at now: PacingInstant,
    next: Attempt? = nil
  ) -> AttemptReport {
    AttemptReport(
      attempt: ended ?? attempt, duration: Duration(nanoseconds: max(0, now - begun)),
      isSuccess: isSuccess, error: error.map(Self.unwrapped), next: next)
  }

  private mutating func beginAgain() {
    attempt = Attempt(number: 1, delay: attempt.delay)
    start = latest
    delays.reset()
  }

  private func giveUp(
    _ reason: GiveUp.Reason, attempts: Int? = nil, needing neededDelay: Nanoseconds? = nil,
    with error: (any Error)?
  ) -> GiveUp {
    GiveUp(
      reason: reason, attempts: attempts ?? attempt.number,
      elapsed: Duration(nanoseconds: latest - start),
      neededDelay: neededDelay.map(Duration.init(nanoseconds:)),
      error: error.map(Self.unwrapped))
  }

  private static func unwrapped(_ error: any Error) -> any Error {
    (error as? PermanentError)?.underlying ?? error
  }
}
