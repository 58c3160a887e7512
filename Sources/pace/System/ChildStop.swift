import Pacing
import Synchronization

/// A request to end a command before its own end.
///
/// The command is asked to end, and killed if it has not ended five seconds later: both with all of
/// its own group.
///
/// ## Concurrency
/// Thread-safe. A request before the start ends the command as soon as it has started.
final class ChildStop: Sendable {
  private struct State {
    var child: ChildProcess?
    var isRequested = false
    var isTold = false
    var isEnding = false
    var timer: DispatchTimer?
  }

  private let state = Mutex(State())

  /// Requests the end; a no-op after the first request.
  ///
  /// - Parameter isTold: Whether a signal that is passed on asks the command already.
  func request(isTold: Bool = false) {
    state.withLock { state in
      guard !state.isRequested else { return }
      (state.isRequested, state.isTold) = (true, isTold)
    }
    end()
  }

  /// Takes the child that a request ends.
  func attach(_ child: ChildProcess) {
    state.withLock { $0.child = child }
    end()
  }

  /// Begins the end when there are a child and a request.
  private func end() {
    let ending = state.withLock { state -> (child: ChildProcess, isTold: Bool)? in
      guard let child = state.child, state.isRequested, !state.isEnding else { return nil }
      state.isEnding = true
      return (child, state.isTold)
    }
    guard let (child, isTold) = ending else { return }
    if !isTold { child.terminate() }
    let timer = DispatchTimer.scheduled(after: .seconds(5)) { child.kill() }
    state.withLock { $0.timer = timer }
  }
}
