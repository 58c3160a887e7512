/// The source of a timer service's time.
package protocol Timekeeper: AnyObject, Sendable {
  var now: PacingInstant { get }
}

/// What wakes a timer service at its earliest deadline.
protocol Waker: AnyObject, Sendable {
  /// Sets what each wake calls; called once.
  func activate(_ wake: @escaping @Sendable () -> Void)

  /// Replaces the deadline; called by one thread at a time. A wake may come earlier.
  func set(_ deadline: PacingInstant)

  func stop()
}

extension Waker {
  func stop() {}
}
