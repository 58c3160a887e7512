/// One run of a retry as a value: which attempt it is at, and what follows a failure.
///
/// It asks the policy's predicates and takes from its budget, but does not call its hooks: `report`
/// makes what they receive.
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
  /// Which attempt of the run it is: a number that is never used twice, unlike `attempt.number`,
  /// which begins again after a healthy attempt.
  private(set) var serial = 1

  let policy: RetryPolicy
  private var start: PacingInstant
  private var latest: PacingInstant
  /// When the attempt that is being made began.
  private var begun: PacingInstant
  private var delays: BackoffDelays
  /// What the budget lent for the attempt; nil for the first.
  private var loan: RetryLoan?
  /// The last failure; nil if there was none, or it is not known, or is a result.
  private var failure: (any Error)?

  /// Begins before the first attempt, which is expected at `start`.
  package init(_ policy: RetryPolicy, start: PacingInstant) {
    self.policy = policy
    self.start = start
    latest = start
    begun = start
    delays = BackoffDelays(policy.backoff)
  }

  /// How much of the policy's time is left; nil if it has no deadline.
  var timeLeft: Nanoseconds? { policy.timeLeft(elapsed: latest - start) }

  /// Notes that the attempt begins.
  package mutating func begin(at now: PacingInstant) {
    latest = max(latest, now)
    begun = latest
    guard serial == 1 else { return }
    start = latest
    policy.budget?.began()
  }

  /// Looks at the deadline again when the wait for `attempt` ends, since a wake may be late.
  ///
  /// - Parameters:
  ///   - error: The failure before the wait.
  ///   - now: When the wait ended.
  /// - Returns: The end if the attempt must not begin: it counts as not made and costs nothing.
  package mutating func overslept(after error: (any Error)?, at now: PacingInstant) -> GiveUp? {
    latest = max(latest, now)
    let refusal = policy.refusal(
      afterAttempt: attempt.number - 1, elapsed: latest - start, delay: 0)
    guard let refusal else { return nil }
    giveBackLoan()
    return giveUp(
      refusal, attempts: attempt.number - 1,
      needing: refusal == .deadline ? Nanoseconds(wait: attempt.delay) : nil, with: error)
  }

  /// Notes that the attempt has succeeded.
  mutating func succeeded(at now: PacingInstant) -> AttemptReport {
    policy.budget?.succeeded(after: loan)
    return report(isSuccess: true, error: nil, at: now)
  }

  /// Decides what follows the failure of the attempt.
  ///
  /// - Parameters:
  ///   - error: The failure; nil if it is not known, or is a result.
  ///   - advice: The advice on a result.
  ///   - now: When the attempt ended.
  /// - Returns: What follows.
  package mutating func failed(
    with error: (any Error)?, advice: RetryAdvice? = nil, at now: PacingInstant
  ) -> Step {
    latest = max(latest, now)
    failure = error
    if error is CancellationError { return .giveUp(cancelled(with: error, at: now)) }
    let advice = advice ?? error.map(policy.advice(on:)) ?? .retry
    let isHealthy = latest - begun >= policy.healthyPeriod
    if isHealthy { beginAgain() }
    guard advice.kind != .permanent else { return .giveUp(giveUp(.permanent, with: error)) }
    guard let computed = delays.nextDelay() else {
      return .giveUp(giveUp(.exhausted, with: error))
    }
    let hinted = delays.delay(computed: computed, hint: advice.hint, obeying: policy.hints)
    guard let delay = hinted else {
      return .giveUp(giveUp(.refusedHint, needing: advice.hint, with: error))
    }
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
      guard let loan = budget.take(advice.cost) else {
        return .giveUp(giveUp(.budget, with: error))
      }
      self.loan = loan
    }
    serial += 1
    attempt = Attempt(number: attempt.number.adding(1), delay: Duration(nanoseconds: delay))
    return .retry(attempt, at: latest + delay)
  }

  /// The end by a cancellation while the run waited for `attempt`, or inside it; without an error,
  /// the last failure is the one before.
  package mutating func cancelled(
    with error: (any Error)? = nil, whileWaiting isWaiting: Bool = false, at now: PacingInstant
  ) -> GiveUp {
    latest = max(latest, now)
    let error = error ?? failure
    guard isWaiting else { return giveUp(.cancelled, with: error) }
    giveBackLoan()
    return giveUp(.cancelled, attempts: attempt.number - 1, with: error)
  }

  private mutating func giveBackLoan() {
    if let loan = loan.take() { policy.budget?.giveBack(loan) }
  }

  /// The end by an error that is not the operation's: `judging` threw it.
  package mutating func refused(with error: any Error, at now: PacingInstant) -> GiveUp {
    latest = max(latest, now)
    return giveUp(.permanent, with: error)
  }

  /// The report of the attempt that has ended, for the policy's hook.
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
