import Pacing
import Synchronization

/// A request to end a command before its own end.
///
/// The command is asked to end, and killed if it has not ended five seconds later.
///
/// ## Concurrency
/// Thread-safe. A request before the start ends the command as soon as it has started.
final class ChildStop: Sendable {
  private struct State {
    var child: ChildProcess?
    var isRequested = false
    var timer: DispatchTimer?
  }

  private let state = Mutex(State())

  /// Requests the end.
  func request() {
    let child = state.withLock { state in
      state.isRequested = true
      return state.child
    }
    if let child { end(child) }
  }

  /// Takes the child that a request ends.
  func attach(_ child: ChildProcess) {
    let isRequested = state.withLock { state in
      state.child = child
      return state.isRequested
    }
    if isRequested { end(child) }
  }

  private func end(_ child: ChildProcess) {
    child.terminate()
    let timer = DispatchTimer.scheduled(after: .seconds(5)) { child.kill() }
    state.withLock { $0.timer = timer }
  }
}
