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
  /// The number of elements that memory was reserved for; the allocator may have rounded it up.
  package private(set) var capacity = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// How many chunks have elements.
  package var chunkCount: Int { (count + Self.chunkLength - 1) >> Self.bits }

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
    if count == capacity { grow() }
    chunks[count >> Self.bits].append(element)
    count += 1
  }

  package mutating func popLast() -> Element? {
    guard !isEmpty else { return nil }
    count -= 1
    let chunk = count >> Self.bits
    let element = chunks[chunk].removeLast()
    if chunk + 2 < chunks.count {
      chunks.removeLast()
      capacity -= Self.chunkLength
    }
    return element
  }

  /// Reserves memory for a further chunk, or for twice the elements of the first one.
  ///
  /// An array that grows by appending takes all that the allocator happens to give, and doubles
  /// that the next time.
  private mutating func grow() {
    let isFirst = capacity < Self.chunkLength
    if chunks.isEmpty || !isFirst { chunks.append([]) }
    capacity = isFirst ? max(4, 2 * capacity) : capacity + Self.chunkLength
    chunks[chunks.count - 1].reserveCapacity(isFirst ? capacity : Self.chunkLength)
  }
}

extension ChunkedArray: Sendable where Element: Sendable {}
