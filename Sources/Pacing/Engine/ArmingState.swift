/// The deadline that a waker is set to, the duty to set it, and the waker that leads: a pure value.
///
/// Setting a waker wakes a thread, so it happens outside every lock: one thread at a time sets it,
/// and then looks again. Otherwise two threads could set it in inverted order and lose the earlier
/// deadline.
///
/// There may be two wakers, of which one leads and is set. Its thread may leave a drain to run what
/// it found due, if the thread of the follower is free: that one leads from then on.
///
/// Invariants: while an entry is pending, the leader is set to its deadline or an earlier one, or a
/// thread is about to call `begin(earliest:)`; the leader's thread has not left.
package struct ArmingState: Hashable, Sendable {
  /// The index of the waker that is set.
  package private(set) var leader = 0
  /// Whether there is another waker, whose thread is free.
  private var isFollowerFree: Bool
  /// The waker's deadline; `distantFuture` after a wake, until it is set again.
  package private(set) var deadline = PacingInstant.distantFuture
  /// A thread is setting the waker, and looks again afterwards.
  private var isSetting = false
  /// A drain is running, and looks when it has finished.
  private var isDraining = false

  package init(hasFollower: Bool = false) {
    isFollowerFree = hasFollower
  }

  /// Whether the caller that added an entry owes a look at the waker.
  package func mustArm(for added: PacingInstant) -> Bool {
    added < deadline && !isDraining
  }

  /// Decides whether the caller sets the leader to `deadline`; it then calls `ended()`, and looks
  /// again.
  package mutating func begin(earliest: PacingInstant) -> Bool {
    guard !isSetting, !isDraining, earliest < deadline else { return false }
    isSetting = true
    deadline = earliest
    return true
  }

  /// The waker is set.
  package mutating func ended() {
    isSetting = false
  }

  /// A waker has fired.
  ///
  /// - Returns: Whether its thread drains. One that has lost the lead was set late, and does not.
  package mutating func beganDraining(by waker: Int) -> Bool {
    guard waker == leader else { return false }
    isDraining = true
    deadline = .distantFuture
    return true
  }

  /// All that was due has been woken; the caller looks at the waker.
  ///
  /// - Parameter wantsToLeave: Whether the thread would run what was due.
  /// - Returns: Whether it may leave; it then calls `returned()` later.
  package mutating func endedDraining(wantsToLeave: Bool) -> Bool {
    isDraining = false
    guard wantsToLeave, isFollowerFree else { return false }
    isFollowerFree = false
    leader = 1 - leader
    return true
  }

  /// The thread that had left is free again, and follows.
  package mutating func returned() {
    isFollowerFree = true
  }
}
