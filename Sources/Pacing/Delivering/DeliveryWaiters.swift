/// The tasks that wait for deliveries, in the order in which they began to wait.
///
/// A task waits for what is flushed, decided or running when it begins to wait, and for nothing
/// that comes later. So each waits for the deliveries of those before it too, and a delivery is
/// counted once: at the first task that waits for it. Tasks have numbers, and what is flushed notes
/// the number of the next one.
struct DeliveryWaiters {
  private struct Waiter {
    /// How many deliveries have not ended, of those that it waits for and none before it does.
    var outstanding: Int
    let wait: OneShot<Void>
  }

  private var waiters = FIFO<Waiter>()
  /// How many deliveries are counted at a waiter.
  private var counted = 0

  @inline(__always)
  var isEmpty: Bool { waiters.isEmpty }

  /// The number of the next task.
  @inline(__always)
  var next: Int { waiters.end }

  /// Adds a task, when so many deliveries are decided or running.
  mutating func append(_ wait: OneShot<Void>, active: Int) {
    waiters.append(Waiter(outstanding: active - counted, wait: wait))
    counted = active
  }

  /// Notes the decision of a value whose flush noted a number.
  ///
  /// - Returns: The number of the first task that waits for it.
  @inline(__always)
  mutating func decided(flushedBefore number: Int) -> Int {
    guard number < waiters.end else { return waiters.end }
    waiters[number].outstanding += 1
    counted += 1
    return number
  }

  /// Notes that a delivery has ended, or will not happen.
  @inline(__always)
  mutating func ended(_ delivery: Decided<some Sendable>) {
    guard delivery.waiter < waiters.end else { return }
    waiters[delivery.waiter].outstanding -= 1
    counted -= 1
  }

  /// Resumes the tasks that have nothing left to wait for.
  ///
  /// - Parameters:
  ///   - earliestFlush: The least number that an undecided value noted when it was flushed.
  ///   - actions: What resumes them.
  mutating func resume(earliestFlush: Int, _ actions: inout UnlockActions) {
    while let first = waiters.first, first.outstanding == 0,
      waiters.end - waiters.count < earliestFlush, let waiter = waiters.popFirst()
    {
      actions.resume { waiter.wait.resolve(()) }
    }
  }
}
