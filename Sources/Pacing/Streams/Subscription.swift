/// A consumer's lifetime: it ends when it is told to, or when nothing holds it any more.
final class Subscription: Sendable {
  private struct State {
    var owner: (any AnyObject & Sendable)?
    var leave: (@Sendable () -> Void)?
  }

  private let state: Locked<State>

  init(keeping owner: (any AnyObject & Sendable)?, leave: @escaping @Sendable () -> Void) {
    state = Locked(State(owner: owner, leave: leave))
  }

  deinit {
    end()
  }

  /// Leaves, and lets go of the owner; only the first call does anything.
  func end() {
    let ended = state.withLock { state in
      defer { state = State() }
      return state
    }
    ended.leave?()
  }
}
