/// The tasks that wait for deliveries, FIFO.
///
/// A task waits for what is flushed, decided or running when it starts to wait, and so for all that
/// earlier tasks wait for: a delivery is counted once, at the first of them. Tasks are numbered,
/// and a flushed value records the number of the next task.
struct DeliveryWaiters {
  private struct Waiter {
    /// The number of unfinished deliveries that this task waits for and no earlier task does.
    var outstanding: Int
    let wait: OneShot<Void>
  }

  private var waiters = FIFO<Waiter>()
  /// The number of deliveries counted at any waiter.
  private var counted = 0

  var isEmpty: Bool { waiters.isEmpty }

  var next: Int { waiters.end }

  /// Adds a task while `activeCount` deliveries are decided or running.
  mutating func append(_ wait: OneShot<Void>, activeCount: Int) {
    waiters.append(Waiter(outstanding: activeCount - counted, wait: wait))
    counted = activeCount
  }

  /// Records the decision of a value that recorded `number` when it was flushed, and returns the
  /// number of the first task that waits for it.
  mutating func decided(flushedBefore number: Int) -> Int {
    guard number < next else { return next }
    waiters[number].outstanding += 1
    counted += 1
    return number
  }

  /// Records that a delivery has ended or will not happen.
  mutating func ended(_ delivery: Decided<some Sendable>) {
    guard delivery.waiter < next else { return }
    waiters[delivery.waiter].outstanding -= 1
    counted -= 1
  }

  /// Resumes the tasks that have nothing left to wait for: `earliestFlush` is the least number
  /// recorded by a flushed value that is not decided.
  @inline(never)
  mutating func resume(earliestFlush: Int, _ actions: inout UnlockActions) {
    while let first = waiters.first, first.outstanding == 0, next - waiters.count < earliestFlush {
      _ = waiters.popFirst()
      actions.resume { first.wait.resolve(()) }
    }
  }
}
