/// Elements in the order in which they came: first in, first out.
///
/// - Complexity: `append` and `popFirst` are O(1) on the average.
package struct Line<Element> {
  /// Those before `next` have left.
  private var elements = [Element?]()
  private var next = 0

  package init() {}

  package var count: Int { elements.count - next }
  package var isEmpty: Bool { count == 0 }
  package var first: Element? { isEmpty ? nil : elements[next] }

  package mutating func append(_ element: Element) {
    elements.append(element)
  }

  package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    defer {
      next += 1
      // Moved seldom enough to cost nothing, and often enough to keep what is left together.
      if next == elements.count || next >= 64 && next >= elements.count / 2 {
        elements.removeSubrange(..<next)
        next = 0
      }
    }
    return elements[next].take()
  }

  /// Takes all of them, in order.
  package mutating func takeAll() -> [Element] {
    defer { self = Line() }
    return elements[next...].compactMap(\.self)
  }
}

extension Line: Sendable where Element: Sendable {}
