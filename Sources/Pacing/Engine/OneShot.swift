/// A task's suspension that ends once, before or after the task suspends.
///
/// It is not generic, so that a wait asks the runtime for no type; what the wait is for stands in a
/// subclass.
///
/// ## Concurrency
/// Thread-safe. Of several calls of `end` the first wins. The task is resumed outside every lock of
/// this object; `end` itself must not be called under a tool's lock.
package class Suspension: @unchecked Sendable {
  /// Virtual time that counts the suspended task, nil if nothing does.
  private let time: ManualTime?
  /// The async handler that waits; known only under virtual time.
  private let handler: HandlerTask?
  private let lock = Lock()
  // Accessed only under the lock, by one thread at a time, which makes a dynamic exclusivity check
  // redundant.
  @safe @exclusivity(unchecked)
  private var state = OneShotState<Void, SuspendedTask>.empty

  /// The task that waits; its continuation is not checked, because the state hands it out once.
  @safe
  private struct SuspendedTask: Sendable { let continuation: UnsafeContinuation<Void, Never> }

  /// Creates a wait that a virtual time counts among those for an instant or a grant; nil for one
  /// that the clock does not end.
  init(countedBy time: ManualTime?) {
    self.time = time
    handler = time == nil ? nil : HandlerTask.current
  }

  /// Ends the wait; returns whether this call did, which then notes the outcome.
  @discardableResult
  @inline(__always)
  package final func end(_ note: () -> Void = {}) -> Bool {
    lock.acquire()
    let resolution = state.resolve(())
    if case .first = resolution { note() }
    lock.release()
    guard case .first(let waiter) = resolution else { return false }
    if let waiter {
      time?.unpark(handler)
      unsafe waiter.continuation.resume()
    }
    return true
  }

  package final var isResolved: Bool {
    lock.acquire()
    defer { lock.release() }
    return state.isResolved
  }

  /// Waits for the end; cancelling the task does not end the wait.
  ///
  /// - Precondition: One task at a time waits.
  package final func wait() async {
    unsafe await withUnsafeContinuation { continuation in
      lock.acquire()
      let end: Void? = unsafe state.wait(SuspendedTask(continuation: continuation))
      lock.release()
      if end != nil {
        unsafe continuation.resume()
      } else {
        // An end that comes first counts the wait down before this counts it up: the sum holds.
        time?.park(handler)
      }
    }
    // Thread Sanitizer sees no order of an end that comes while the task suspends and what follows.
    _ = isResolved
  }
}

/// A one-shot continuation: a task waits for an outcome that is set once.
package final class OneShot<Outcome: Sendable>: Suspension, @unchecked Sendable {
  // Set before the wait ends, and read only after that.
  private var value: Outcome?

  package override init(countedBy time: ManualTime? = nil) { super.init(countedBy: time) }

  /// Ends the wait; returns whether this call set the outcome.
  @discardableResult
  package func resolve(_ outcome: Outcome) -> Bool { end { value = outcome } }

  /// Waits for the outcome; cancelling the task does not end the wait.
  package func outcome() async -> Outcome {
    await wait()
    return value!
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
