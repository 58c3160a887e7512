/// The deadline that a waker is set to, and the duty to set it: a pure value.
///
/// Setting a waker wakes a thread, so it happens outside every lock. One thread at a time sets it,
/// and then looks again: two could set it in inverted order and lose the earlier deadline.
///
/// Invariant: while an entry is pending, the waker is set to its deadline or an earlier one, or a
/// thread is about to call `begin(earliest:)`.
package struct ArmingState: Hashable, Sendable {
  /// The waker's deadline; `distantFuture` after a wake, until it is set again.
  package private(set) var deadline = PacingInstant.distantFuture
  /// A thread is setting the waker, and looks again afterwards.
  private var isSetting = false
  /// A drain is running, and looks when it has finished.
  private var isDraining = false

  package init() {}

  /// Whether the caller that added an entry owes a look at the waker.
  package func mustArm(for added: PacingInstant) -> Bool {
    added < deadline && !isDraining
  }

  /// Whether the caller sets the waker to `deadline`; it then calls `ended()`, and looks again.
  package mutating func begin(earliest: PacingInstant) -> Bool {
    guard !isSetting, !isDraining, earliest < deadline else { return false }
    isSetting = true
    deadline = earliest
    return true
  }

  /// The waker is set.
  package mutating func ended() { isSetting = false }

  /// The waker has fired.
  package mutating func beganDraining() {
    isDraining = true
    deadline = .distantFuture
  }

  /// All that was due has been woken; the caller looks at the waker.
  package mutating func endedDraining() { isDraining = false }
}
