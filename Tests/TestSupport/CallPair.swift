/// Two calls that can race, and the possible outcomes.
package struct CallPair<Call: Sendable>: Sendable, CustomStringConvertible {
  package let first: Call
  package let second: Call
  package let outcomes: Set<String>

  package init(_ first: Call, _ second: Call, _ outcomes: Set<String>) {
    (self.first, self.second, self.outcomes) = (first, second, outcomes)
  }

  package var description: String { "\(first) and \(second)" }
}

extension CaseIterable where Self: Comparable & Hashable {
  /// The pairs of cases that a table omits, in either order.
  package static func pairs(leftOutOf table: [(Self, Self)]) -> [[Self]] {
    let named = Set(table.map { [$0, $1].sorted() })
    return allCases.flatMap { first in allCases.map { [first, $0].sorted() } }
      .filter { !named.contains($0) }
  }
}
