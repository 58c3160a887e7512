extension PacingClock {
  /// Suspends the task until the deadline, or until it is cancelled.
  ///
  /// A sleep of any length costs one entry in the shared timer: no thread, no timer of its own. It
  /// ends at the deadline or up to `tolerance` later, never before.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the deadline; ``TimeoutError``
  ///   if the deadline of a `withTimeout` around it is not later.
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
