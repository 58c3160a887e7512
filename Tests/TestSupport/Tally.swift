import Pacing

/// Hands out burdens, for closures to capture and tools to receive, and reports when all are gone.
final class Tally: Sendable {
  private struct State {
    var left = 0
    /// Whether a test has waited for too long.
    var isGivenUp = false
    var waiting = [CheckedContinuation<Void, Never>]()

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
      guard left == 0 || isGivenUp else { return [] }
      defer { waiting = [] }
      return waiting
    }
  }

  private let state = Locked(State())

  func burden(_ name: String = "") -> Burden {
    state.withLock { $0.left += 1 }
    return Burden(name) { [self] in released() }
  }

  private func released() {
    resume { $0.left -= 1 }
  }

  private func resume(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      return state.takeWaiting()
    }
    for continuation in waiting { continuation.resume() }
  }

  var left: Int { state.withLock { $0.left } }

  /// Returns when all burdens are gone: tasks on other threads may release theirs after a test sees
  /// them end.
  ///
  /// If some are never released, it returns at the time limit of the test, which has failed then.
  func allReleased() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in resume { $0.waiting.append(continuation) } }
    } onCancel: {
      resume { $0.isGivenUp = true }
    }
  }
}
