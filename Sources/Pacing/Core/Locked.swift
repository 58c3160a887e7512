/// A value behind a lock.
///
/// The lock is not recursive. A closure passed to `withLock` never calls a user's closure, never
/// resumes a continuation and never releases a user's value: each of these may re-enter. It returns
/// what it displaces, for the caller to release.
///
/// A class, whose deinit finds the value's type in its own metadata; a generic owner would ask the
/// runtime for it.
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
  private let lock = Lock()
  // Not inside a mutex: a `Mutex` of a generic type asks the runtime for that type's metadata at
  // every use. Accessed only by `withLock`, by one thread at a time, which makes a dynamic
  // exclusivity check redundant.
  @safe @exclusivity(unchecked)
  private var value: Value

  package init(_ initial: consuming sending Value) { value = initial }

  @inline(__always)
  package func withLock<Result: ~Copyable>(
    _ body: (inout sending Value) -> sending Result
  ) -> sending Result {
    lock.acquire()
    let result = body(&value)
    lock.release()
    return result
  }

  /// Releases what `take` returns, after unlocking.
  ///
  /// Not `_ = withLock { … }`: the optimiser releases a discarded result as early as it can, which
  /// is under the lock.
  @inline(__always)
  package func release<Released>(_ take: (inout sending Value) -> sending Released) {
    let released = withLock(take)
    withExtendedLifetime(released) {}
  }
}
