/// Arrays that give back what a peak took.
///
/// Elements are moved only
/// after a proportional number was added or removed, which is amortised O(1).
extension ContiguousArray {
  /// Whether there is memory for more than three times as many elements, and a constant.
  func isSparse(for count: Int) -> Bool { capacity > 3 * count + 64 }

  /// Moves the elements to memory that fits if there is far more.
  mutating func shrinkIfSparse() {
    guard isSparse(for: count) else { return }
    var fitting = ContiguousArray()
    fitting.reserveCapacity(count)
    fitting += self
    self = fitting
  }

  /// Removes the elements before `start`, which are no longer in use, when that pays; `start` is
  /// then zero.
  mutating func removeUnused(before start: inout Int) {
    let used = count - start
    guard used == 0 || isSparse(for: used) || start >= 16 && 2 * start >= used else { return }
    removeSubrange(..<start)
    start = 0
    shrinkIfSparse()
  }
}
extension Dictionary {
  /// Moves the elements to memory that fits if there is memory for more than three times as many,
  /// and a constant.
  ///
  /// - Complexity: Amortised O(1) if it follows each removal.
  mutating func shrinkIfSparse() {
    guard capacity > 3 * count + 64 else { return }
    var fitting = Dictionary(minimumCapacity: count)
    for (key, value) in self { fitting[key] = value }
    self = fitting
  }
}
