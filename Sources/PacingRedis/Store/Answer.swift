internal import Pacing

/// One task's wait for a value that is decided once, before or after the task suspends.
final class Answer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case suspended(CheckedContinuation<Value, Never>)
    case decided(Value)
  }

  private let service: TimerService
  /// The waiting handler, on virtual time.
  private let handler: HandlerTask?
  private let state = Locked(State.open)

  init(_ service: TimerService) {
    self.service = service
    handler = service.manual == nil ? nil : HandlerTask.current
  }

  /// Suspends the task until the value is decided.
  func value() async -> Value {
    if let value = decided { return value }
    return await withCheckedContinuation { continuation in
      let value = state.withLock { state -> Value? in
        if case .decided(let value) = state { return value }
        state = .suspended(continuation)
        return nil
      }
      if let value {
        continuation.resume(returning: value)
      } else {
        service.manual?.park(handler)
      }
    }
  }

  private var decided: Value? {
    state.withLock { if case .decided(let value) = $0 { value } else { nil } }
  }

  /// Decides the value; called once.
  func decide(_ value: Value) {
    let before = state.withLock { state in
      defer { state = .decided(value) }
      return state
    }
    guard case .suspended(let continuation) = before else { return }
    service.manual?.unpark(handler)
    continuation.resume(returning: value)
  }
}
