extension KeyedState {
  func pending(_ key: AnyKey) -> AnyValue? {
    slots.number(of: key).flatMap { slots[$0].held.value }
  }

  /// When the pending value of a key is due; `distantFuture` if there is none.
  func deadline(of key: AnyKey) -> PacingInstant {
    slots.number(of: key).map { slots[$0].held.timing }.flatMap {
      $0.isPending ? $0.deadline : nil
    } ?? .distantFuture
  }

  /// Whether a value of a key is decided and has not begun.
  func isDecided(_ key: AnyKey) -> Bool {
    slots.number(of: key).map { slots[$0].phase == .decided } ?? false
  }
}
