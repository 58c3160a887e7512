import Pacing
import TestSupport

/// Hands out burdens, for closures to capture and tools to receive, and reports when all are gone.
final class Tally: Sendable {
  private struct State {
    var left = 0
    var waiting = [CheckedContinuation<Void, Never>]()
  }

  private let state = Locked(State())

  func burden(_ name: String = "") -> Burden {
    state.withLock { $0.left += 1 }
    return Burden(name) { [self] in released() }
  }

  private func released() {
    let waiting = state.withLock { state in
      state.left -= 1
      guard state.left == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  var left: Int { state.withLock { $0.left } }

  /// Returns when all burdens are gone: tasks on other threads may release theirs after a test sees
  /// them end.
  func allReleased() async {
    await withCheckedContinuation { continuation in
      let areReleased = state.withLock { state in
        if state.left > 0 { state.waiting.append(continuation) }
        return state.left == 0
      }
      if areReleased { continuation.resume() }
    }
  }
}
