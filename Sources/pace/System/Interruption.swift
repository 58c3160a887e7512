import Synchronization

/// The premature end of the work, by a signal or by an output that accepts no more.
///
/// The first cause counts. Code that waits for descriptors also waits for `descriptor`; other code
/// registers an action.
///
/// ## Concurrency
/// Thread-safe. Actions run on the interrupting thread, outside the lock.
final class Interruption: Sendable {
  /// Why the work ends.
  enum Cause: Equatable, Sendable {
    case signal(Int32)
    case failure(CommandError)

    /// The error that the command ends with.
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

  /// Readable from the first interruption on.
  let descriptor: Descriptor

  private let bell: Descriptor
  private let state = Mutex(State())

  init() throws(SystemError) {
    (descriptor, bell) = try Descriptor.pipe()
  }

  /// The first cause, or nil while the work continues.
  var cause: Cause? {
    state.withLock { $0.cause }
  }

  /// Runs `action` at the first interruption, or now if there was one.
  func whenInterrupted(_ action: @escaping @Sendable () -> Void) {
    let isInterrupted = state.withLock { state in
      if state.cause == nil { state.actions.append(action) }
      return state.cause != nil
    }
    if isInterrupted { action() }
  }

  /// Passes every signal on to `child` from now on; nil ends that.
  ///
  /// - Returns: The cause of an earlier interruption, whose signal has not reached the child.
  @discardableResult
  func passSignals(to child: ChildProcess?) -> Cause? {
    state.withLock { state in
      state.child = child
      return state.cause
    }
  }

  /// Interrupts the work by a signal, and passes it on to the child, unless the terminal has.
  ///
  /// A second signal ends the process at once, and a child with a group of its own: the user does
  /// not want to wait for what is still to be written. Another child is still waited for, since it
  /// may need that signal, as those do that ask the user what to do.
  func receive(_ request: Signals.Request) {
    let (actions, child) = begin(.signal(request.signal))
    if let child, !request.isFromTerminal || child.hasOwnGroup { child.send(request.signal) }
    if actions == nil, child?.hasOwnGroup ?? true {
      child?.kill()
      OwnProcess.end(with: .signal(request.signal))
    }
    finish(actions)
  }

  /// Interrupts the work; a no-op after the first interruption.
  func interrupt(_ cause: Cause) {
    finish(begin(cause).actions)
  }

  /// Stores the first cause and finds the child in one step: a child that starts at the same time
  /// either is found, or finds the cause.
  ///
  /// - Returns: The actions to run, or nil if the work was interrupted before; and the child.
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
