/// A FIFO queue whose elements are numbered consecutively; one that becomes empty frees its memory.
///
/// - Complexity: `append` and `popFirst` are O(1) amortised.
package struct FIFO<Element>: Sequence {
  /// The first element, stored inline so that a queue of one allocates nothing; nil if empty.
  package private(set) var first: Element?
  /// The other elements; those before `next` were removed.
  private var others = ContiguousArray<Element?>()
  private var next = 0
  /// The number of the first element.
  private var start = 0

  package init() {}

  package var count: Int { first == nil ? 0 : 1 + others.count - next }
  package var isEmpty: Bool { first == nil }

  package var last: Element? { others.last ?? first }

  /// The number of the next element to be appended.
  package var end: Int { start + count }

  /// The element with a number; it must be in the queue.
  package subscript(number: Int) -> Element {
    get { number == start ? first! : others[next + number - start - 1]! }
    set {
      if number == start { first = newValue } else { others[next + number - start - 1] = newValue }
    }
  }

  package mutating func append(_ element: Element) {
    if isEmpty { first = element } else { others.append(element) }
  }

  @inline(__always)
  package mutating func popFirst() -> Element? {
    guard let element = first.take() else { return nil }
    start += 1
    if !others.isEmpty { moveUp() }
    return element
  }

  @inline(never)
  private mutating func moveUp() {
    first = others[next].take()
    next += 1
    if next == others.count {
      others.removeAll(keepingCapacity: next < 64)
      next = 0
    } else if next >= 64, 2 * next >= others.count {
      others.removeSubrange(..<next)
      next = 0
    }
  }

  /// Removes and returns the elements that meet the condition, in order; if there are any, the
  /// others get new numbers.
  package mutating func takeAll(where isIncluded: (Element) -> Bool = { _ in true }) -> [Element] {
    let taken = isEmpty ? [] : filter(isIncluded)
    guard !taken.isEmpty else { return [] }
    let left = filter { !isIncluded($0) }
    self = FIFO()
    for element in left { append(element) }
    return taken
  }

  package func makeIterator() -> some IteratorProtocol<Element> {
    (start..<end).lazy.map { self[$0] }.makeIterator()
  }
}

extension FIFO: Sendable where Element: Sendable {}
