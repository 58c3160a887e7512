internal import Pacing

/// A latch: tasks wait until `arrive()` has been called a given number of times, on any thread.
package final class CountDown: Sendable {
  private struct State {
    var left: Int
    var waiting = [CheckedContinuation<Void, Never>]()
  }

  private let state: Locked<State>

  package init(_ count: Int) {
    state = Locked(State(left: count))
  }

  /// Counts one arrival.
  package func arrive() {
    let reached = state.withLock { state in
      state.left -= 1
      guard state.left == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in reached { continuation.resume() }
  }

  /// Returns once every arrival has been counted.
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
