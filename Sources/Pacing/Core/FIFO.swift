/// Elements in the order in which they came: first in, first out, each with a number of its own.
///
/// - Complexity: `append` and `popFirst` are O(1) on the average.
package struct FIFO<Element> {
  /// The first one is kept in place, so that a line of one allocates nothing; nil in an empty line.
  package private(set) var first: Element?
  /// The others; those before `next` have left.
  private var others = [Element?]()
  private var next = 0
  /// The number of the first one.
  private var start = 0

  package init() {}

  package var count: Int { first == nil ? 0 : 1 + others.count - next }
  package var isEmpty: Bool { first == nil }
  package var last: Element? { isEmpty ? nil : self[end - 1] }

  /// The number of the next element to be appended.
  package var end: Int { start + count }

  /// The element of a number; it must be in line.
  package subscript(number: Int) -> Element {
    get { number == start ? first! : others[next + number - start - 1]! }
    set {
      if number == start { first = newValue } else { others[next + number - start - 1] = newValue }
    }
  }

  package mutating func append(_ element: Element) {
    if isEmpty { first = element } else { others.append(element) }
  }

  package mutating func popFirst() -> Element? {
    guard let element = first.take() else { return nil }
    start += 1
    if next < others.count { first = takeSecond() }
    return element
  }

  private mutating func takeSecond() -> Element? {
    defer {
      next += 1
      // Moved seldom enough to cost nothing, and often enough to keep what is left together.
      if next == others.count || next >= 64 && next >= others.count / 2 {
        others.removeSubrange(..<next)
        next = 0
      }
    }
    return others[next].take()
  }

  /// Takes all of them, in order.
  package mutating func takeAll() -> [Element] {
    takeAll { _ in true }
  }

  /// Takes all of which the condition is true, in order; where there are any, the others are given
  /// new numbers.
  package mutating func takeAll(where isMeant: (Element) -> Bool) -> [Element] {
    let taken = isEmpty ? [] : filter(isMeant)
    guard !taken.isEmpty else { return [] }
    let left = filter { !isMeant($0) }
    self = FIFO()
    for element in left { append(element) }
    return taken
  }
}

extension FIFO: Sequence {
  package func makeIterator() -> some IteratorProtocol<Element> {
    (start..<end).lazy.map { self[$0] }.makeIterator()
  }
}

extension FIFO: Sendable where Element: Sendable {}
