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
  /// Whether no attempt has begun yet: a healthy one begins the count again.
  private var isNew = true

  let policy: RetryPolicy
  private var start: PacingInstant
  private var latest: PacingInstant
  /// When the attempt that is being made began.
  private var begun: PacingInstant
  /// Whether its operation has begun; false while it waits for the policy's limit.
  var isMade = true
  private var delays: BackoffDelays
  /// What the budget lent for the attempt; nil for the first.
  private var loan: Int?

  /// Begins before the first attempt, which is expected at `start`.
  package init(_ policy: RetryPolicy, start: PacingInstant) {
    self.policy = policy
    self.start = start
    latest = start
    begun = start
    delays = BackoffDelays(policy.backoff)
  }

  func timeLeft(at now: PacingInstant) -> Nanoseconds? {
    policy.timeLeft(elapsed: max(latest, now) - start)
  }

  /// Notes that the attempt begins, or that its wait for the policy's limit has ended.
  package mutating func begin(at now: PacingInstant) {
    latest = max(latest, now)
    begun = latest
    if isNew { start = latest }
    (isNew, isMade) = (false, true)
  }

  /// Looks at the deadline again when the wait for `attempt` ends, since a wake may be late;
  /// returns the end if the attempt must not begin: it counts as not made and costs nothing.
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

  mutating func succeeded(at now: PacingInstant) -> AttemptReport {
    latest = max(latest, now)
    giveBack()
    return report(isSuccess: true, error: nil)
  }

  /// Decides what follows the failure of the attempt: an error, or a result and the advice on it.
  ///
  /// `deadline` is the instant before which the wait must end; nil for no bound but the policy's.
  package mutating func failed(
    with error: (any Error)?, advice: RetryAdvice? = nil, before deadline: PacingInstant? = nil,
    at now: PacingInstant
  ) -> Step {
    latest = max(latest, now)
    let advice = advice ?? error.map(policy.advice(on:)) ?? .retry
    if isHealthy { beginAgain() }
    guard !advice.isPermanent else { return .giveUp(giveUp(.permanent, with: error)) }
    guard let delay = delays.nextDelay(hint: advice.hint, atMost: policy.maximumHint)
    else { return .giveUp(giveUp(.exhausted, with: error)) }
    var refusal = policy.refusal(
      afterAttempt: attempt.number, elapsed: latest - start, delay: delay)
    if let deadline, delay > 0, latest + delay >= deadline { refusal = refusal ?? .deadline }
    if let refusal {
      return .giveUp(giveUp(refusal, needing: refusal == .deadline ? delay : nil, with: error))
    }
    if let budget = policy.budget {
      guard let loan = budget.take(advice.cost) else {
        return .giveUp(giveUp(.budget, with: error))
      }
      self.loan = loan
    }
    attempt = Attempt(number: attempt.number.adding(1), delay: Duration.nanoseconds(delay))
    return .retry(attempt, at: latest + delay)
  }

  /// The end by a cancellation while the run waited for `attempt`, or inside it.
  package mutating func cancelled(
    with error: (any Error)?, whileWaiting isWaiting: Bool = false, at now: PacingInstant
  ) -> GiveUp {
    latest = max(latest, now)
    guard isWaiting || !isMade else {
      if isHealthy { giveBack() }
      return giveUp(.cancelled, with: error)
    }
    giveBackLoan()
    return giveUp(.cancelled, attempts: attempt.number - 1, with: error)
  }

  private var isHealthy: Bool {
    guard isMade, let period = policy.healthyPeriod else { return false }
    return latest - begun >= Nanoseconds(wait: period)
  }

  /// The report of an attempt that has ended, for the policy's hook.
  func report(
    of ended: Attempt? = nil, isSuccess: Bool = false, error: (any Error)?, next: Attempt? = nil
  ) -> AttemptReport {
    AttemptReport(
      attempt: ended ?? attempt, duration: Duration.nanoseconds(latest - begun),
      isSuccess: isSuccess, error: error.map(Self.unwrapped), next: next)
  }

  /// Gives back what a success does: what its retry took, or one token at the first attempt.
  private mutating func giveBack() {
    policy.budget?.giveBack(loan.take() ?? 1)
  }

  private mutating func giveBackLoan() {
    if let loan = loan.take() { policy.budget?.giveBack(loan) }
  }

  /// Begins again after a healthy attempt, which was a success for the budget.
  private mutating func beginAgain() {
    giveBack()
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
      elapsed: Duration.nanoseconds(latest - start),
      neededDelay: neededDelay.map(Duration.nanoseconds),
      error: error.map(Self.unwrapped))
  }

  private static func unwrapped(_ error: any Error) -> any Error {
    (error as? PermanentError)?.underlying ?? error
  }
}
