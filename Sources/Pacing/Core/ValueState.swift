/// The pure part of a tool that takes values: what the verbs of debouncers and throttlers have in common.
///
/// What a verb displaces it returns, so that the shell can let go of it outside the lock.
package protocol ValueState<Output>: PacedState {
  /// The value that is still to be decided.
  var pending: Output? { get }

  /// Takes a value; returns the one that will not be delivered because of it, perhaps the same.
  mutating func send(_ value: Output, at now: PacingInstant) -> Output?

  /// Makes the pending value due now; false where there is none.
  mutating func flush(at now: PacingInstant) -> Bool

  /// Takes no more values; returns the pending one where it is not to be delivered.
  mutating func finish(_ finish: Finish, at now: PacingInstant) -> Output?
}
