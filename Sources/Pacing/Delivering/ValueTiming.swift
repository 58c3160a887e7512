/// When a tool that takes values delivers: a pure value that knows the instants and not the values.
///
/// At most one value is pending. `Holding` keeps it, and hands it out when the timing says so.
package protocol ValueTiming: Sendable {
  /// Whether a value is pending.
  var isPending: Bool { get }

  /// When the pending value is due, `distantFuture` where there is none.
  var deadline: PacingInstant { get }

  /// Whether no further value is taken.
  var isFinishing: Bool { get }

  /// Takes note of a value, and says what becomes of it.
  mutating func send(at now: PacingInstant) -> Intake

  /// The pending value leaves: its deadline has come.
  mutating func due(at now: PacingInstant)

  /// Makes the pending value due now; called where there is one.
  mutating func flush(at now: PacingInstant)

  /// The pending value, if there is one, is dropped.
  mutating func cancel()

  /// No further value is taken; the pending one stays pending, or is dropped.
  mutating func finish(_ finish: Finish, at now: PacingInstant)
}

/// What becomes of a value that was sent.
package enum Intake: Hashable, Sendable {
  /// It is the pending value from now on, in the place of the one before.
  case keep

  /// It is dropped.
  case drop
}
