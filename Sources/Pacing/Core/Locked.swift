import Synchronization

/// A value behind a lock.
///
/// The lock is not recursive. A closure passed to `withLock` never calls a user's closure, never
/// resumes a continuation and never releases a user's value: each of these may re-enter and take
/// the same lock. The closure returns displaced values, and the caller releases them.
package struct Locked<Value>: ~Copyable, @unchecked Sendable {
  // Not inside the mutex: a `Mutex` of a generic type asks the runtime for that type's metadata at
  // every use. Accessed only by `withLock`, by one thread at a time; deallocated in deinit.
  private let value: UnsafeMutablePointer<Value>
  private let mutex = Mutex<Void>(())

  // Repeats the mutex's ordering in a form that Thread Sanitizer understands: on Linux it does not
  // see a contended `Mutex` hand over. On x86-64 and ARM64 this costs two plain moves.
  private let fence = Atomic<UInt8>(0)

  package init(_ initial: sending Value) {
    value = .allocate(capacity: 1)
    value.initialize(to: initial)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Runs `body` with exclusive access to the value.
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
