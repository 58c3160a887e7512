/// A caller's turn at a limit.
package enum Turn {
  /// How a wait ended.
  package enum Outcome: Sendable {
    /// Granted, counting from that instant.
    case granted(PacingInstant)
    /// The caller left first; nothing was taken.
    case withdrawn
    /// The caller was refused; nothing was taken.
    case refused(AcquireError)
    /// The limit was dropped.
    case ended
  }

  /// An entry of a limit's queue: called once with the outcome of its wait.
  typealias Request = @Sendable (Outcome) -> Void
}
