/// A retry timer as a pure value: at most one attempt that is waited for, and the backoff's
/// position.
package struct RetryTimerState: PacedState {
  /// A delay that was computed outside the lock, since a backoff may be a user's closure.
  package struct Proposal: Sendable {
    fileprivate let revision: Int
    fileprivate let delays: BackoffDelays
    fileprivate let number: Int
    /// Nil if the backoff has ended.
    fileprivate let delay: Nanoseconds?
  }

  private var delays: BackoffDelays
  private var made = 0
  private var pending: (attempt: Attempt, deadline: PacingInstant)?
  private let healthyPeriod: Nanoseconds
  /// When the last attempt was due.
  private var lastDue: PacingInstant?
  /// Counts the steps of the backoff and its beginnings.
  private var revision = 0

  package init(_ backoff: Backoff, healthyPeriod: Nanoseconds = .never) {
    delays = BackoffDelays(backoff)
    self.healthyPeriod = healthyPeriod
  }

  package var deadline: PacingInstant { pending?.deadline ?? .distantFuture }

  package var isFinished: Bool { false }
  package var outlivesItsTool: Bool { false }

  package var isPending: Bool { pending != nil }

  /// The next attempt's delay, at least the server's `hint`; a backoff that was healthy for long
  /// enough begins again.
  package func proposal(after hint: Nanoseconds? = nil, at now: PacingInstant) -> Proposal {
    var (delays, made) = (delays, made)
    if let lastDue, now - lastDue >= healthyPeriod {
      delays.reset()
      made = 0
    }
    let delay = delays.nextDelay(hint: hint)
    return Proposal(revision: revision, delays: delays, number: made.adding(1), delay: delay)
  }

  /// Whether the backoff has not moved since the proposal.
  package func isCurrent(_ proposal: Proposal) -> Bool { proposal.revision == revision }

  /// Begins to wait for the next attempt; nil if one is waited for already, or there is none.
  package mutating func scheduleNext(_ proposal: Proposal, at now: PacingInstant) -> Attempt? {
    guard pending == nil, let delay = proposal.delay else { return nil }
    revision += 1
    delays = proposal.delays
    made = proposal.number
    lastDue = nil
    let attempt = Attempt(number: made, delay: Duration.nanoseconds(delay))
    pending = (attempt, now + delay)
    return attempt
  }

  package mutating func attemptNow(at now: PacingInstant) -> Attempt? {
    guard let (attempt, deadline) = pending else { return nil }
    pending = (attempt, min(deadline, now))
    return attempt
  }

  package mutating func succeeded() {
    revision += 1
    delays.reset()
    made = 0
  }

  package mutating func due(at now: PacingInstant) -> Attempt? {
    lastDue = now
    return pending.take()?.attempt
  }

  package mutating func dropped(_ attempt: Attempt, _ reason: DropReason) {
    // It was not made, so nothing was healthy since.
    if reason == .cancelled, attempt.number == made { lastDue = nil }
  }

  package mutating func cancel() -> Attempt? {
    pending.take()?.attempt
  }

  package mutating func reset() -> Attempt? {
    succeeded()
    return cancel()
  }
}
