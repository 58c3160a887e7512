/// How a sleep ended.
package enum SleepEnd: Sendable {
  case elapsed
  case cancelled
}

/// A task's sleep: a one-shot that an entry in the timer service ends.
extension OneShot: TimerTarget where Outcome == SleepEnd {
  package func wake(_ handle: TimerService.Handle) {
    resolve(.elapsed)
  }
}

extension TimerService {
  /// Suspends the task until the deadline, or until it is cancelled; a caller that ends the sleep
  /// early passes one, which it resolves as cancelled.
  ///
  /// - Throws: `CancellationError` if the task or the sleep is cancelled first.
  package func sleep(
    until deadline: PacingInstant, tolerance: Nanoseconds = 0, as sleep: OneShot<SleepEnd>? = nil
  ) async throws {
    try Task.checkCancellation()
    guard now < deadline else { return }
    let sleep = sleep ?? OneShot(countedBy: manual)
    // In the queue before the task suspends: the one-shot keeps an end that comes first.
    let (handle, mustArm) = schedule(sleep, at: deadline, tolerance: tolerance)
    if mustArm { arm() }
    let end = await withTaskCancellationHandler {
      await sleep.outcome()
    } onCancel: {
      // Here and not after the wait: the entry is gone when the cancelling call returns.
      if sleep.resolve(.cancelled) { cancel(handle) }
    }
    guard end == .elapsed else {
      cancel(handle)
      throw CancellationError()
    }
  }
}
