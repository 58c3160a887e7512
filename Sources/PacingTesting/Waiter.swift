internal import Pacing

/// One task's wait, until somebody ends it or the task is cancelled.
final class Waiter: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Void, Never>)
    case over
  }

  private let state = Locked(State.idle)

  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if case .over = state { return true }
          state = .waiting(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      end()
    }
  }

  func end() {
    let last = state.withLock { state in
      defer { state = .over }
      return state
    }
    if case .waiting(let continuation) = last { continuation.resume() }
  }
}
