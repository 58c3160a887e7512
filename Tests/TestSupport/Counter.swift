import Synchronization

/// A number that any thread may count up or down.
package final class Counter: Sendable {
  private let count = Atomic(0)

  package init() {}

  /// Adds, and returns the sum.
  @discardableResult
  package func add(_ number: Int = 1) -> Int {
    count.add(number, ordering: .sequentiallyConsistent).newValue
  }

  package var value: Int { count.load(ordering: .sequentiallyConsistent) }
}
