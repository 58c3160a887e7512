extension PacingClock {
  /// Suspends the task until the deadline, or until it is cancelled.
  ///
  /// A sleep of any length costs one entry in the shared timer: no thread, no timer of its own. It
  /// ends at the deadline or up to `tolerance` later, never before. Inside `withTimeout` a sleep
  /// that would not end before the time limit fails immediately.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which the sleep ends.
  ///   - tolerance: How much later it may end, so that timers can share a wake; nil for not at all.
  /// - Throws: `CancellationError` if the task is cancelled before the deadline; ``TimeoutError``
  ///   if a deadline in force is not later than that of the sleep.
  public func sleep(until deadline: PacingInstant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    guard timers.now < deadline else { return }
    if let limit = DeadlineInForce.current(on: timers), limit.deadline <= deadline {
      throw limit.error
    }
    try await timers.sleep(
      until: deadline, tolerance: tolerance.map(Nanoseconds.init(wait:)) ?? 0)
  }
}
