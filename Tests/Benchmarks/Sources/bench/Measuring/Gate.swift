import Synchronization

/// Lets a task wait until something has happened so many times, and keeps what was measured each
/// time.
final class Gate: Sendable {
  private struct State {
    var left: Int
    var values = [Double]()
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state: Mutex<State>

  init(_ count: Int) {
    state = Mutex(State(left: count))
  }

  /// Notes one of the times, with what was measured.
  func arrive(_ value: Double? = nil) {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.left -= 1
      if let value { state.values.append(value) }
      return state.left == 0 ? state.waiting.take() : nil
    }
    waiting?.resume()
  }

  /// Returns when there were as many as had to come.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.left > 0 { state.waiting = continuation }
        return state.left <= 0
      }
      if isOver { continuation.resume() }
    }
  }

  /// The value below which so large a share of those measured lies.
  func percentile(_ share: Double) -> Double {
    let sorted = state.withLock { $0.values }.sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }
}
