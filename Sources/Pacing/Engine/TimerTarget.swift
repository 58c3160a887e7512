/// What the timer service wakes: the shells around the pure states.
///
/// The service keeps a target alive while an entry of its is pending, and lets go of it as soon as
/// the entry is cancelled.
package protocol TimerTarget: AnyObject, Sendable {
  /// Called once for each entry that fires, on the timer service's own thread, outside every lock.
  ///
  /// The call can come late, or after the target has changed its mind: it looks at its own state.
  func wake(_ handle: TimerService.Handle)
}
