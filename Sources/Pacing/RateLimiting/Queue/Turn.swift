/// A caller's turn at a limit.
enum Turn {
  /// How a wait ended.
  enum Outcome: Sendable {
    /// The tokens were taken at that instant.
    case granted(PacingInstant)
    /// The caller left first; nothing was taken.
    case withdrawn
    /// The caller was refused; nothing was taken.
    case refused(AcquireError)
    /// The limit is no more.
    case ended
  }

  /// What stands in the queue of a limit: told once how its wait ended.
  typealias Request = @Sendable (Outcome) -> Void
}
