import Synchronization

#if canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// A value behind a lock.
///
/// The lock is not recursive. A closure passed to `withLock` never calls a user's closure, never
/// resumes a continuation and never releases a user's value: each of these may re-enter and take
/// the same lock. The closure returns displaced values, and the caller releases them.
///
/// A class: its deinit finds the value's type in its own metadata, and a generic owner that
/// destroyed the value itself would have to ask the runtime for it. A subclass adds constants to
/// the same block of memory.
package class Locked<Value: ~Copyable>: @unchecked Sendable {
  // Not inside the mutex: a `Mutex` of a generic type asks the runtime for that type's metadata at
  // every use. Accessed only by `withLock`, by one thread at a time, which makes a dynamic
  // exclusivity check redundant.
  @exclusivity(unchecked)
  private final var value: Value
  private final let mutex = Mutex<Void>(())

  // Repeats the mutex's ordering in a form that Thread Sanitizer understands: on Linux it does not
  // see a contended `Mutex` hand over. On x86-64 and ARM64 this costs two plain moves.
  private final let fence = Atomic<UInt8>(0)

  package init(_ initial: consuming sending Value) {
    value = initial
  }

  /// Runs `body` with exclusive access to the value.
  @inline(__always)
  package final func withLock<Result: ~Copyable>(
    _ body: (inout sending Value) -> sending Result
  ) -> sending Result {
    if !mutex._unsafeTryLock() { mutex.lockInCrowd() }
    _ = fence.load(ordering: .acquiring)
    let result = body(&value)
    fence.store(0, ordering: .releasing)
    mutex._unsafeUnlock()
    return result
  }

  /// Releases what `take` returns, after unlocking.
  ///
  /// Not `_ = withLock { … }`: the optimiser releases a discarded result as early as it can, which
  /// is under the lock.
  @inline(__always)
  package final func release<Released>(
    _ take: (inout sending Value) -> sending Released
  ) {
    let released = withLock(take)
    withExtendedLifetime(released) {}
  }
}

extension Mutex<Void> {
  /// Takes a lock that another thread holds.
  ///
  /// On Linux a mutex is handed to a thread that sleeps for it, and stays locked while that thread
  /// wakes up: others spin in vain, sleep for it too, and a crowd never leaves this convoy. So a
  /// thread first lets others run, the holder among them, and sleeps only after that.
  @inline(never)
  fileprivate borrowing func lockInCrowd() {
    #if !canImport(Darwin)
      for _ in 0..<50 {
        sched_yield()
        if _unsafeTryLock() { return }
      }
    #endif
    _unsafeLock()
  }
}
