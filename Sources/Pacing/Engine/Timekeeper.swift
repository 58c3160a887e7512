/// Where a timer service has its time from.
package protocol Timekeeper: AnyObject, Sendable {
  /// The current instant.
  var now: PacingInstant { get }
}

/// What wakes a timer service at its earliest deadline.
protocol Waker: AnyObject, Sendable {
  /// Says once what is to be done on a wake.
  func activate(_ wake: @escaping @Sendable () -> Void)

  /// Sets the one deadline, in place of the one before; one thread at a time does it.
  ///
  /// A wake may come earlier: the service then sets the deadline again.
  func set(_ deadline: PacingInstant)

  /// Wakes nobody any more.
  func stop()
}

extension Waker {
  func stop() {}
}
