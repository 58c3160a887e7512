/// An array that grows and shrinks a chunk at a time: no call copies more than a chunk of it.
///
/// An array of a million elements takes milliseconds, or tenths of a second if they are large, to
/// move to twice the room. Under a lock that is a pause for every other caller.
///
/// - Complexity: Every call is O(1) amortised, and no more than a chunk's length in the worst case.
package struct ChunkedArray<Element> {
  /// How many elements a chunk has, as a power of two.
  private static var bits: Int { 10 }
  package static var chunkLength: Int { 1 << bits }

  /// All of them are full but the last one with elements, and one behind it that may be empty: it
  /// is kept, so that a length that goes to and fro around a chunk's end allocates nothing.
  private var chunks = ContiguousArray<ContiguousArray<Element>>()
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// How many chunks have elements.
  package var chunkCount: Int { (count + Self.chunkLength - 1) >> Self.bits }

  /// How many elements there is memory for.
  package var capacity: Int { chunks.reduce(0) { $0 + $1.capacity } }

  /// The indices of the elements of a chunk, none if there is no such chunk.
  package func indices(inChunk chunk: Int) -> Range<Int> {
    let start = min(chunk << Self.bits, count)
    return start..<min(start + Self.chunkLength, count)
  }

  package subscript(index: Int) -> Element {
    @inline(__always)
    _read { yield chunks[index >> Self.bits][index & (Self.chunkLength - 1)] }
    @inline(__always)
    _modify { yield &chunks[index >> Self.bits][index & (Self.chunkLength - 1)] }
  }

  package mutating func append(_ element: Element) {
    let chunk = count >> Self.bits
    if chunk == chunks.count { addChunk() }
    chunks[chunk].append(element)
    count += 1
  }

  package mutating func popLast() -> Element? {
    guard !isEmpty else { return nil }
    count -= 1
    let chunk = count >> Self.bits
    let element = chunks[chunk].removeLast()
    if chunk + 2 < chunks.count { chunks.removeLast() }
    return element
  }

  private mutating func addChunk() {
    var chunk = ContiguousArray<Element>()
    // The first one grows as needed: most arrays are small.
    if !isEmpty { chunk.reserveCapacity(Self.chunkLength) }
    chunks.append(chunk)
  }
}

extension ChunkedArray: Sendable where Element: Sendable {}
