/// A retry timer as a pure value: at most one attempt that is waited for, and the backoff's position.
package struct RetryTimerState: PacedState {
  private var delays: BackoffDelays
  private var made = 0
  private var pending: (attempt: Attempt, deadline: PacingInstant)?

  package init(_ backoff: Backoff) {
    delays = BackoffDelays(backoff)
  }

  package var deadline: PacingInstant { pending?.deadline ?? .distantFuture }

  package var isFinished: Bool { false }
  package var outlivesItsTool: Bool { false }

  /// Whether an attempt is waited for.
  package var isPending: Bool { pending != nil }

  /// Begins to wait for the next attempt; nil where one is waited for already.
  package mutating func scheduleNext(at now: PacingInstant) -> Attempt? {
    guard pending == nil else { return nil }
    let delay = delays.nextDelay()
    made += 1
    let attempt = Attempt(number: made, delay: Duration(nanoseconds: delay))
    pending = (attempt, now + delay)
    return attempt
  }

  /// Lets the backoff begin again; an attempt that is waited for stays.
  package mutating func succeeded() {
    delays.reset()
    made = 0
  }

  package mutating func due(at now: PacingInstant) -> Attempt? {
    pending.take()?.attempt
  }

  package mutating func cancel() -> Attempt? {
    pending.take()?.attempt
  }

  /// Lets the backoff begin again, and drops the attempt that is waited for.
  package mutating func reset() -> Attempt? {
    succeeded()
    return cancel()
  }
}
