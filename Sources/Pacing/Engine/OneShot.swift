/// A one-shot continuation: a task waits for an outcome that is set once, before or after it
/// suspends.
///
/// ## Concurrency
/// Thread-safe. Of several calls of `resolve` the first wins. The task is resumed outside every
/// lock of this object; `resolve` itself must not be called under a tool's lock.
package final class OneShot<Outcome: Sendable>: @unchecked Sendable {
  /// Virtual time that counts the suspended task, nil if nothing does.
  private let time: ManualTime?
  /// The async handler that waits; known only under virtual time.
  private let handler: HandlerTask?
  private let lock = Lock()
  // Here, and not in an object of its own: a wait is one block of memory. Accessed only under the
  // lock, by one thread at a time, which makes a dynamic exclusivity check redundant.
  @safe @exclusivity(unchecked)
  private var state = OneShotState<Outcome, SuspendedTask>.empty

  /// The task that waits; its continuation is not checked, because the state hands it out once.
  @safe
  private struct SuspendedTask: Sendable { let continuation: UnsafeContinuation<Outcome, Never> }

  /// Creates a wait that the virtual time of `service` counts among those for a time or a grant;
  /// nil for one that the clock does not end.
  package init(countedBy service: TimerService? = nil) {
    time = service?.manual
    handler = time == nil ? nil : HandlerTask.current
  }

  @inline(__always)
  private func withLock<Result>(
    _ body: (inout OneShotState<Outcome, SuspendedTask>) -> Result
  ) -> Result {
    lock.acquire()
    let result = body(&state)
    lock.release()
    return result
  }

  /// Ends the wait; returns whether this call set the outcome.
  @discardableResult
  package func resolve(_ outcome: Outcome) -> Bool {
    guard case .first(let waiter) = withLock({ $0.resolve(outcome) }) else { return false }
    if let waiter {
      time?.unpark(handler)
      unsafe waiter.continuation.resume(returning: outcome)
    }
    return true
  }

  package var isResolved: Bool { withLock { $0.isResolved } }

  /// Waits for the outcome; cancelling the task does not end the wait.
  ///
  /// - Precondition: One task at a time waits.
  package func outcome() async -> Outcome {
    unsafe await withUnsafeContinuation { continuation in
      let task = unsafe SuspendedTask(continuation: continuation)
      if let outcome = withLock({ $0.wait(task) }) {
        unsafe continuation.resume(returning: outcome)
      } else {
        // An outcome that comes first counts the wait down before this counts it up: the sum holds.
        time?.park(handler)
      }
    }
  }

  /// Waits for the outcome; cancelling the task sets it to `cancelled`, unless there is one.
  package func outcome(ifCancelled cancelled: Outcome) async -> Outcome {
    await withTaskCancellationHandler {
      await outcome()
    } onCancel: {
      resolve(cancelled)
    }
  }
}
