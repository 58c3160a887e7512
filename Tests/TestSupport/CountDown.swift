internal import Pacing

/// Lets a task wait until something has happened so many times, on any thread.
package final class CountDown: Sendable {
  private struct State {
    var left: Int
    var waiting = [CheckedContinuation<Void, Never>]()
  }

  private let state: Locked<State>

  package init(_ count: Int) {
    state = Locked(State(left: count))
  }

  /// Notes one of the times.
  package func arrive() {
    let reached = state.withLock { state in
      state.left -= 1
      guard state.left == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in reached { continuation.resume() }
  }

  /// Returns when there were as many as had to come.
  package func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.left > 0 { state.waiting.append(continuation) }
        return state.left <= 0
      }
      if isOver { continuation.resume() }
    }
  }
}
