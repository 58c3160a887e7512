import Synchronization

/// A value behind a lock.
///
/// The lock is not recursive. A closure given to `withLock` never calls a user's closure, never
/// resumes a continuation and never lets go of a user's value: each of these can come back for the
/// same lock. What is displaced is returned, and released by the caller.
package struct Locked<Value>: ~Copyable, @unchecked Sendable {
  // Beside the mutex, not inside: a `Mutex` of a generic type asks the runtime for that type's
  // metadata at every use. Touched only by `withLock`, by one thread at a time, and freed with the
  // last owner.
  private let value: UnsafeMutablePointer<Value>
  private let mutex = Mutex<Void>(())

  // Says again what the mutex says, in words that Thread Sanitizer knows: on Linux it does not see
  // a contended `Mutex` hand over. On the machines we run on this costs two plain moves.
  private let fence = Atomic<UInt8>(0)

  package init(_ initial: sending Value) {
    value = .allocate(capacity: 1)
    value.initialize(to: initial)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Runs `body` with the value, alone.
  @inline(__always)
  package borrowing func withLock<Result>(
    _ body: (inout sending Value) -> sending Result
  ) -> sending Result {
    mutex.withLock { _ in
      _ = fence.load(ordering: .acquiring)
      let result = body(&value.pointee)
      fence.store(0, ordering: .releasing)
      return result
    }
  }
}
