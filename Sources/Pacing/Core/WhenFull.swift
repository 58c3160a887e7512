/// What happens to one more where a maximum is reached: a waiter of a limit, or a key.
public enum WhenFull: Hashable, Sendable {
  /// It is refused; of a tool that takes values, dropped with the reason `.overflow`.
  case refuse

  /// Another one goes: the tool says which one.
  case makeRoom
}
