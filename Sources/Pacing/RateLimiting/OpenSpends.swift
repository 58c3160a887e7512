/// Reservations that have been spent and may still be settled for less: a pure value.
///
/// What is given back late is only what the bucket would hold now if it had not been spent: tokens for
/// which there would have been no room meanwhile are gone. A full bucket has no room, so what can still
/// be given back is the least that the bucket lacked at any spend since.
///
/// - Complexity: O(1) for each spend on the average, O(n) for the rest.
struct OpenSpends: Sendable {
  private struct Open {
    let number: PinnedSpends.Number
    /// The least debt since, in units; it never falls from one to the next.
    var least: Int128
  }

  private var all = ContiguousArray<Open>()

  @inline(__always)
  var isEmpty: Bool { all.isEmpty }

  /// Adds the newest.
  mutating func append(_ number: PinnedSpends.Number) {
    all.append(Open(number: number, least: .max))
  }

  /// Notes what the bucket lacks, before it is spent from or after it was added to.
  mutating func observe(_ debt: Int128) {
    guard debt > 0 else { return removeAll() }
    for index in all.indices.reversed() {
      guard all[index].least > debt else { return }
      all[index].least = debt
    }
  }

  /// Takes one out, and says how many units can be given back at most; nil where there are none.
  mutating func remove(_ number: PinnedSpends.Number) -> Int128? {
    guard let index = all.firstIndex(where: { $0.number == number }) else { return nil }
    return all.remove(at: index).least
  }

  /// Changes the unit in which debts are counted.
  mutating func convert(_ units: (Int128) -> Int128) {
    for index in all.indices { all[index].least = units(all[index].least) }
  }

  /// Closes all: nothing can be given back any more.
  mutating func removeAll() {
    all.removeAll(keepingCapacity: true)
  }
}
