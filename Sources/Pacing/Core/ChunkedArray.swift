/// An array that grows and shrinks by a chunk: no call copies more than one.
///
/// Under a lock, moving a million elements to twice the room would be a pause for every caller.
///
/// - Complexity: Every call is O(1) amortised, and O(chunk) in the worst case.
package struct ChunkedArray<Element> {
  private static var bits: Int { 10 }
  package static var chunkLength: Int { 1 << bits }

  /// Full, except the last one.
  private var chunks = ContiguousArray<ContiguousArray<Element>>()
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }
  package var capacity: Int { chunks.reduce(0) { $0 + $1.capacity } }

  package subscript(index: Int) -> Element {
    @inline(__always)
    _read { yield chunks[index >> Self.bits][index & (Self.chunkLength - 1)] }
    @inline(__always)
    _modify { yield &chunks[index >> Self.bits][index & (Self.chunkLength - 1)] }
  }

  package mutating func append(_ element: Element) {
    if count >> Self.bits == chunks.count {
      chunks.append([])
      if count > 0 { chunks[chunks.count - 1].reserveCapacity(Self.chunkLength) }
    }
    chunks[count >> Self.bits].append(element)
    count += 1
  }

  package mutating func popLast() -> Element? {
    guard !isEmpty else { return nil }
    count -= 1
    let element = chunks[count >> Self.bits].removeLast()
    // One empty chunk stays: a length that goes to and fro around its end allocates nothing.
    if chunks.count > (count >> Self.bits) + 2 { chunks.removeLast() }
    return element
  }
}

extension ChunkedArray: Sendable where Element: Sendable {}
