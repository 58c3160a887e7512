/// A consumer's lifetime: it ends with `end()` or with the last reference.
final class Subscription<Source: Sendable>: Sendable {
  private struct State {
    var owner: (any AnyObject & Sendable)?
    var leave: @Sendable (Source) -> Void
  }

  let source: Source
  private let state: Locked<State?>

  init(
    to source: Source, keeping owner: (any AnyObject & Sendable)? = nil,
    leave: @escaping @Sendable (Source) -> Void
  ) {
    self.source = source
    state = Locked(State(owner: owner, leave: leave))
  }

  deinit { end() }

  /// Calls `leave` and releases the owner; idempotent.
  func end() {
    let ended = state.withLock { $0.take() }
    ended?.leave(source)
  }
}
