import Synchronization

/// A value that comes later, once, and one task that waits for it.
///
/// ## Concurrency
/// Thread-safe. The task is resumed outside the lock.
final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var continuation: CheckedContinuation<Value, Never>?
  }

  private let state = Mutex(State())

  /// Gives the value; the first one counts.
  func fulfil(_ value: Value) {
    let continuation = state.withLock { state -> CheckedContinuation<Value, Never>? in
      guard state.value == nil else { return nil }
      state.value = value
      return state.continuation.take()
    }
    continuation?.resume(returning: value)
  }

  /// The value, as soon as it is there.
  func value() async -> Value {
    await withCheckedContinuation { continuation in
      let value = state.withLock { state in
        if state.value == nil { state.continuation = continuation }
        return state.value
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
