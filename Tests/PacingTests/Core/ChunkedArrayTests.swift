import Pacing
import TestSupport
import Testing

@Suite("Chunked array")
struct ChunkedArrayTests {
  @Test("is an array, under random calls", arguments: Soak.seeds(8))
  func isAnArray(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var chunked = ChunkedArray<Int>()
    var array = [Int]()
    // Alternately grows and shrinks, across chunk boundaries.
    for step in 0..<10_000 {
      let grows = step % 5_000 < 3_000
      if Int.random(in: 0..<4, using: &random) == 0 ? !grows : grows {
        chunked.append(step)
        array.append(step)
      } else {
        #expect(chunked.popLast() == array.popLast(), "seed \(seed), step \(step)")
      }
      if let index = array.indices.randomElement(using: &random) {
        chunked[index] += 1
        array[index] += 1
      }
    }
    #expect(array.indices.allSatisfy { chunked[$0] == array[$0] }, "seed \(seed)")
    #expect(chunked.count == array.count, "seed \(seed)")
  }

  @Test("its chunks have all indices, in order, and none that has gone")
  func chunks() {
    var chunked = ChunkedArray<Int>()
    let length = ChunkedArray<Int>.chunkLength
    #expect(chunked.chunkCount == 0)
    #expect(chunked.indices(inChunk: 0).isEmpty)
    for number in 0...2 * length { chunked.append(number) }
    #expect((0..<3).flatMap(chunked.indices) == Array(0...2 * length))
    _ = chunked.popLast()
    #expect(chunked.chunkCount == 2)
    #expect(chunked.indices(inChunk: 2).isEmpty)
  }

  @Test("memory is reserved for fewer than twice the elements, from a chunk on for one chunk more")
  func reserved() {
    var chunked = ChunkedArray<Int>()
    let capacities = (1...3000).map { number in
      chunked.append(number)
      return chunked.capacity
    }
    #expect(capacities == (1...3000).map(Memory.reserved(for:)))
    while chunked.popLast() != nil { #expect(chunked.capacity <= chunked.count + 2 * 1024) }
    #expect(chunked.capacity == 2 * 1024)
  }
}
