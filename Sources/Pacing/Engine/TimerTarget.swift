/// An object that the timer service wakes.
///
/// The service retains a target while an entry of it is pending, and releases it as soon as the
/// entry is cancelled.
package protocol TimerTarget: AnyObject, Sendable {
  /// Called once for each entry that fires, on the timer's thread, outside every lock.
  ///
  /// The call may come late, or for a superseded entry; the target checks its own state. It must
  /// not run a user's code here: every other timer waits for it.
  func wake(_ handle: TimerService.Handle)
}
