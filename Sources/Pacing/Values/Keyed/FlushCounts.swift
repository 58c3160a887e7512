/// The number of pending values for each number recorded at a flush; these are few and ascending.
struct FlushCounts: Sendable {
  private var counts = [(number: Int, count: Int)]()

  /// The least number recorded by a pending value; `Int.max` if there is none.
  var earliest: Int { counts.first?.number ?? .max }

  /// Counts the number that replaces a value's earlier one; `Int.max` is not counted.
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
