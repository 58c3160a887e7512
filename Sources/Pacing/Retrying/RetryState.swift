/// One run of a retry as a pure value: which attempt it is at, and what follows a failure.
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
  private let start: PacingInstant
  private var latest: PacingInstant
  private var delays: BackoffDelays

  /// Begins with the first attempt at `start`.
  package init(_ policy: RetryPolicy, start: PacingInstant) {
    self.policy = policy
    self.start = start
    latest = start
    delays = BackoffDelays(policy.backoff)
  }

  /// Decides what follows the failure of the attempt; a nil error is one that is not known.
  package mutating func failed(with error: (any Error)?, at now: PacingInstant) -> Step {
    if error is CancellationError { return .giveUp(cancelled(with: error, at: now)) }
    if let error, !policy.retryIf(error) {
      return .giveUp(giveUp(.rejected, with: error, at: now))
    }
    latest = max(latest, now)
    let delay = delays.nextDelay()
    let refusal = policy.refusal(
      afterAttempt: attempt.number, elapsed: latest - start, delay: delay)
    if let refusal {
      let needed = refusal == .deadline ? Duration(nanoseconds: delay) : nil
      return .giveUp(giveUp(refusal, needing: needed, with: error, at: now))
    }
    attempt = Attempt(number: attempt.number + 1, delay: Duration(nanoseconds: delay))
    return .retry(attempt, at: latest + delay)
  }

  /// The end by a cancellation while the run waited for `attempt`, or inside it.
  package mutating func cancelled(
    with error: (any Error)?, whileWaiting isWaiting: Bool = false, at now: PacingInstant
  ) -> GiveUp {
    giveUp(.cancelled, attempts: attempt.number - (isWaiting ? 1 : 0), with: error, at: now)
  }

  private mutating func giveUp(
    _ reason: GiveUp.Reason, attempts: Int? = nil, needing neededDelay: Duration? = nil,
    with error: (any Error)?, at now: PacingInstant
  ) -> GiveUp {
    latest = max(latest, now)
    return GiveUp(
      reason: reason, attempts: attempts ?? attempt.number,
      elapsed: Duration(nanoseconds: latest - start), neededDelay: neededDelay, error: error)
  }
}
