import Synchronization

/// What ends the work before its own end: a signal, or an output that takes no more.
///
/// The first one counts. Code that waits for descriptors waits for `descriptor` as well; other
/// code leaves an action.
///
/// ## Concurrency
/// Thread-safe. Actions run on the thread that found the interruption, outside the lock.
final class Interruption: Sendable {
  /// Why the work ends.
  enum Cause: Equatable, Sendable {
    case signal(Int32)
    case failure(CommandError)

    /// What the command ends with.
    var error: CommandError {
      switch self {
      case .signal(let number): CommandError(nil, status: .signal(number))
      case .failure(let error): error
      }
    }
  }

  private struct State {
    var cause: Cause?
    var actions: [@Sendable () -> Void] = []
    var child: ChildProcess?
  }

  /// Readable from the first interruption on, and for ever.
  let descriptor: Descriptor

  private let bell: Descriptor
  private let state = Mutex(State())

  init() throws(SystemError) {
    (descriptor, bell) = try Descriptor.pipe()
  }

  /// Why the work ends, nil as long as it goes on.
  var cause: Cause? {
    state.withLock { $0.cause }
  }

  /// Runs `action` at the first interruption: now, where that has been.
  func whenInterrupted(_ action: @escaping @Sendable () -> Void) {
    let isInterrupted = state.withLock { state in
      if state.cause == nil { state.actions.append(action) }
      return state.cause != nil
    }
    if isInterrupted { action() }
  }

  /// Passes every signal on to `child` from now on, to nobody where it is nil.
  ///
  /// - Returns: what interrupted the work before: its signal has not reached the child.
  @discardableResult
  func passSignals(to child: ChildProcess?) -> Cause? {
    state.withLock { state in
      state.child = child
      return state.cause
    }
  }

  /// Ends the work because of a signal, and tells the child, unless the terminal has told it.
  ///
  /// A second one, with no child to end first, is from someone who does not want to wait for what
  /// is still to be written.
  func receive(_ request: Signals.Request) {
    let (actions, child) = begin(.signal(request.signal))
    if !request.isFromTerminal { child?.send(request.signal) }
    if actions == nil, child == nil {
      OwnProcess.end(with: .signal(request.signal))
    }
    finish(actions)
  }

  /// Ends the work, if nothing has yet.
  func interrupt(_ cause: Cause) {
    finish(begin(cause).actions)
  }

  /// Notes the first cause: in one step with looking for the child, so that a child which begins
  /// just now either is found, or finds the cause.
  ///
  /// - Returns: what is to be done, nil where the work has been ended before; and the child.
  private func begin(_ cause: Cause) -> (actions: [@Sendable () -> Void]?, child: ChildProcess?) {
    state.withLock { state in
      guard state.cause == nil else { return (nil, state.child) }
      state.cause = cause
      defer { state.actions = [] }
      return (state.actions, state.child)
    }
  }

  private func finish(_ actions: [@Sendable () -> Void]?) {
    guard let actions else { return }
    bell.end()
    for action in actions { action() }
  }
}
