extension PacingClock {
  /// Suspends the task until the deadline, or until it is cancelled.
  ///
  /// It costs an entry in the shared timer, and ends at the deadline or up to `tolerance` later.
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
