/// How many pending values noted each number when they were flushed.
///
/// - Complexity: O(1) in the number of values; numbers are few, and noted in ascending order.
struct FlushCounts: Sendable {
  private var counts = [(number: Int, count: Int)]()

  /// The least number that a pending value noted, `Int.max` if there is none.
  var earliest: Int { counts.first?.number ?? .max }

  /// Counts the number that a value noted in place of an earlier one; `Int.max` is not counted.
  @inline(__always)
  mutating func replace(_ old: Int, by new: Int) {
    if old != new { count(old, new) }
  }

  private mutating func count(_ old: Int, _ new: Int) {
    if let index = counts.firstIndex(where: { $0.number == old }) {
      counts[index].count -= 1
      if counts[index].count == 0 { counts.remove(at: index) }
    }
    guard new != .max else { return }
    if counts.last?.number == new {
      counts[counts.count - 1].count += 1
    } else {
      counts.append((new, 1))
    }
  }
}
