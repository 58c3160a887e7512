/// A consumer's lifetime: it ends with `end()` or with the last reference.
final class Subscription: Sendable {
  private struct State {
    var owner: (any AnyObject & Sendable)?
    var leave: (@Sendable () -> Void)?
  }

  private let state: Locked<State>

  init(keeping owner: (any AnyObject & Sendable)?, leave: @escaping @Sendable () -> Void) {
    state = Locked(State(owner: owner, leave: leave))
  }

  deinit { end() }

  /// Calls `leave` and releases the owner; idempotent.
  func end() {
    let ended = state.withLock { state in
      defer { state = State() }
      return state
    }
    ended.leave?()
  }
}
