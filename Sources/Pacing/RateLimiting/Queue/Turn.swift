/// One task's wait for its turn at a limit: decided once, from outside, before or after it
/// suspends.
final class Turn: Sendable {
  /// How a wait ended.
  enum Outcome: Sendable {
    /// The tokens were taken at that instant.
    case granted(PacingInstant)
    /// The caller left first; nothing was taken.
    case withdrawn
    /// The caller was refused; nothing was taken.
    case refused(AcquireError)
    /// The limit is no more.
    case ended
  }

  /// What stands in the queue of a limit: told once how its wait ended.
  typealias Request = @Sendable (Outcome) -> Void

  private enum State {
    case arriving
    case suspended(CheckedContinuation<Outcome, Never>)
    case decided(Outcome)
  }

  private let service: TimerService
  /// The handler that waits, where time is manual.
  private let handler: HandlerTask?
  private let state = Locked(State.arriving)

  init(service: TimerService) {
    self.service = service
    handler = service.manual == nil ? nil : HandlerTask.current
  }

  /// Suspends the task until its turn is decided.
  func outcome() async -> Outcome {
    await withCheckedContinuation { continuation in
      let decided = state.withLock { state -> Outcome? in
        if case .decided(let outcome) = state { return outcome }
        state = .suspended(continuation)
        return nil
      }
      if let decided {
        continuation.resume(returning: decided)
      } else {
        service.manual?.park(handler)
      }
    }
  }

  /// Decides the turn; called once.
  func decide(_ outcome: Outcome) {
    let before = state.withLock { state in
      defer { state = .decided(outcome) }
      return state
    }
    guard case .suspended(let continuation) = before else { return }
    service.manual?.unpark(handler)
    continuation.resume(returning: outcome)
  }
}
