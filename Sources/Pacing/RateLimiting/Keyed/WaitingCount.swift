import Synchronization

/// The number of waiters of all shards of a keyed limiter to which the bound of its queue applies.
final class WaitingCount: Sendable {
  private let count = Atomic(0)
  let maximum: Int

  init(maximum: Int) {
    self.maximum = maximum
  }

  var value: Int { count.load(ordering: .relaxed) }

  var isFull: Bool { value >= maximum }

  func add(_ change: Int) {
    if change != 0 { count.add(change, ordering: .relaxed) }
  }

  /// Counts a waiter, if there is a place for it.
  ///
  /// It is one step, because other shards take their places at the same time.
  func addWithinBound() -> Bool {
    var known = value
    while known < maximum {
      let (isMine, now) = count.weakCompareExchange(
        expected: known, desired: known + 1, ordering: .relaxed)
      if isMine { return true }
      known = now
    }
    return false
  }
}
