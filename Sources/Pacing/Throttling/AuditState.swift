/// When an auditor delivers: a window from the first value after idle, and its end.
package struct AuditState: ValueTiming {
  private let window: Nanoseconds

  package private(set) var isPending = false
  package private(set) var isFinishing = false
  package private(set) var deadline = PacingInstant.distantFuture

  /// Makes an idle state.
  package init(window: Duration) {
    self.window = Nanoseconds(wait: window)
  }

  package mutating func send(at now: PacingInstant) -> Intake {
    guard !isFinishing else { return .drop }
    if !isPending {
      isPending = true
      deadline = now + window
    }
    return .keep
  }

  package mutating func due(at now: PacingInstant) {
    cancel()
  }

  package mutating func flush(at now: PacingInstant) {
    deadline = min(deadline, now)
  }

  package mutating func cancel() {
    isPending = false
    deadline = .distantFuture
  }

  package mutating func finish(_ finish: Finish, at now: PacingInstant) {
    isFinishing = true
    switch finish.policy {
    case .deliver: break
    case .atOnce: if isPending { flush(at: now) }
    case .discard: cancel()
    }
  }
}
