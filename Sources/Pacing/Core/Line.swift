/// Elements in the order in which they came: first in, first out, each with a number of its own.
///
/// - Complexity: `append` and `popFirst` are O(1) on the average.
package struct Line<Element> {
  /// Those before `next` have left.
  private var elements = [Element?]()
  private var next = 0
  /// How many have been taken out of `elements`: its first one has this number.
  private var start = 0

  package init() {}

  package var count: Int { elements.count - next }
  package var isEmpty: Bool { count == 0 }
  package var first: Element? { isEmpty ? nil : elements[next] }
  package var last: Element? { isEmpty ? nil : elements[elements.count - 1] }

  /// The number of the next element to be appended.
  package var end: Int { start + elements.count }

  /// The element of a number; it must be in line.
  package subscript(number: Int) -> Element {
    get { elements[number - start]! }
    set { elements[number - start] = newValue }
  }

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
        start += next
        next = 0
      }
    }
    return elements[next].take()
  }

  /// Takes all of them, in order.
  package mutating func takeAll() -> [Element] {
    takeAll { _ in true }
  }

  /// Takes all of which the condition is true, in order; the others are given new numbers.
  package mutating func takeAll(where isMeant: (Element) -> Bool) -> [Element] {
    guard !isEmpty else { return [] }
    let (taken, left) = (filter(isMeant), filter { !isMeant($0) })
    self = Line()
    elements = left
    return taken
  }
}

extension Line: Sequence {
  package func makeIterator() -> some IteratorProtocol<Element> {
    elements[next...].lazy.compactMap { $0 }.makeIterator()
  }
}

extension Line: Sendable where Element: Sendable {}
