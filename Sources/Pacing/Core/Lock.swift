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

  // Read before the mutex is tried, which on Linux calls the kernel where it fails, and has the
  // holder call it too. It also repeats the mutex's ordering for Thread Sanitizer, which there does
  // not see a contended `Mutex` hand over. On x86-64 and ARM64 it costs plain moves.
  private let isHeld = Atomic<Bool>(false)

  package init() {}

  @inline(__always)
  package borrowing func acquire() {
    if isHeld.load(ordering: .relaxed) || !mutex._unsafeTryLock() { acquireInCrowd() }
    _ = isHeld.load(ordering: .acquiring)
    isHeld.store(true, ordering: .relaxed)
  }

  @inline(__always)
  package borrowing func release() {
    isHeld.store(false, ordering: .releasing)
    mutex._unsafeUnlock()
  }

  /// Takes a lock that another thread holds.
  ///
  /// On Linux a mutex is handed to a thread that sleeps for it, and stays locked while that wakes
  /// up: a crowd never leaves this convoy. So a thread first looks again, then lets others run.
  @inline(never)
  private borrowing func acquireInCrowd() {
    #if !canImport(Darwin)
      for look in 0..<250 {
        if look >= 200 { sched_yield() }
        if !isHeld.load(ordering: .relaxed), mutex._unsafeTryLock() { return }
      }
    #endif
    mutex._unsafeLock()
  }
}
