import Synchronization

/// A value behind a lock.
///
/// The lock is not recursive. A closure given to `withLock` never calls a user's closure, never
/// resumes a continuation and never lets go of a user's value: each of these can come back for the
/// same lock. What is displaced is returned, and released by the caller.
package struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  // Says again what the mutex says, in words that Thread Sanitizer knows: on Linux it does not see a
  // contended `Mutex` hand over. On the machines we run on this costs two plain moves.
  private let fence = Atomic<UInt8>(0)

  package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Runs `body` with the value, alone.
  @inline(__always)
  package borrowing func withLock<Result: ~Copyable>(
    _ body: (inout sending Value) -> sending Result
  ) -> sending Result {
    mutex.withLock { value in
      _ = fence.load(ordering: .acquiring)
      let result = body(&value)
      fence.store(0, ordering: .releasing)
      return result
    }
  }
}
