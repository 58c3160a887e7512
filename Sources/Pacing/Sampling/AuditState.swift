/// When an auditor delivers: a window from the first value after idle, and its end.
package struct AuditState: ValueTiming {
  package var wait: Nanoseconds
  package var isPending = false
  package var isFinishing = false
  package var deadline = PacingInstant.distantFuture

  /// Makes an idle state.
  package init(window: Duration) {
    wait = Nanoseconds(wait: window)
  }

  package var idleAt: PacingInstant { .distantPast }

  package mutating func send(waiting wait: Nanoseconds, at now: PacingInstant) -> Intake {
    guard !isFinishing else { return .drop(.finished) }
    if !isPending {
      isPending = true
      deadline = now + wait
    }
    return .keep
  }

  package mutating func due(at now: PacingInstant) { cancel() }
}
