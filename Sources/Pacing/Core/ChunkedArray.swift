/// An array that grows a chunk at a time: no call copies more than a chunk of it.
///
/// An array of a million elements takes milliseconds, or tenths of a second where they are large,
/// to move to twice the room. Under a lock that would be a pause for everyone else.
///
/// - Complexity: Every call is O(1), and no more than a chunk's length in the worst case.
package struct ChunkedArray<Element> {
  /// How many elements a chunk has, as a power of two.
  private static var bits: Int { 10 }
  package static var chunkLength: Int { 1 << bits }

  /// All of them are full but the last one, which is never empty.
  private var chunks = ContiguousArray<ContiguousArray<Element>>()
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// How many chunks there are.
  package var chunkCount: Int { chunks.count }

  /// The indices of the elements of a chunk; of one that is not there any more, none.
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
    if count >> Self.bits == chunks.count { addChunk() }
    chunks[chunks.count - 1].append(element)
    count += 1
  }

  package mutating func popLast() -> Element? {
    guard !isEmpty else { return nil }
    count -= 1
    let element = chunks[chunks.count - 1].removeLast()
    if chunks[chunks.count - 1].isEmpty { chunks.removeLast() }
    return element
  }

  private mutating func addChunk() {
    var chunk = ContiguousArray<Element>()
    // The first one grows as it must: most arrays are small.
    if !isEmpty { chunk.reserveCapacity(Self.chunkLength) }
    chunks.append(chunk)
  }
}

extension ChunkedArray: Sendable where Element: Sendable {}
