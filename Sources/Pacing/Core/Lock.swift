import Synchronization

#if canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// A lock that lets other threads run while it is taken; not recursive.
package struct Lock: ~Copyable, Sendable {
  private let mutex = Mutex<Void>(())

  // Repeats the mutex's ordering for Thread Sanitizer, which on Linux does not see a contended
  // `Mutex` hand over. On x86-64 and ARM64 this costs two plain moves.
  private let fence = Atomic<UInt8>(0)

  package init() {}

  @inline(__always)
  package borrowing func acquire() {
    if !mutex._unsafeTryLock() { mutex.lockInCrowd() }
    _ = fence.load(ordering: .acquiring)
  }

  @inline(__always)
  package borrowing func release() {
    fence.store(0, ordering: .releasing)
    mutex._unsafeUnlock()
  }
}

extension Mutex<Void> {
  /// Takes a lock that another thread holds.
  ///
  /// On Linux a mutex is handed to a thread that sleeps for it, and stays locked while that wakes
  /// up: a crowd never leaves this convoy. So a thread first lets others run, the holder too.
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
