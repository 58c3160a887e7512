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

  package mutating func send(waiting wait: Nanoseconds, at now: PacingInstant) -> SendResult {
    guard !isFinishing else { return .dropped(.finished) }
    guard !isPending else { return .merged }
    isPending = true
    deadline = now + wait
    return .kept
  }

  package mutating func due(at now: PacingInstant) { cancel() }
}
