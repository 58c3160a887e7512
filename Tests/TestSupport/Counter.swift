import Synchronization

/// A thread-safe counter.
package final class Counter: Sendable {
  private let count = Atomic(0)

  package init() {}

  /// Adds `number` and returns the sum.
  @discardableResult
  package func add(_ number: Int = 1) -> Int {
    count.add(number, ordering: .sequentiallyConsistent).newValue
  }

  package var value: Int { count.load(ordering: .sequentiallyConsistent) }
}
