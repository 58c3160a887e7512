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

  @Test("no call copies more than a chunk, and one empty chunk stays")
  func reserved() {
    var chunked = ChunkedArray<Int>()
    for number in 0..<3000 { chunked.append(number) }
    #expect(chunked.capacity >= 3000)
    while chunked.popLast() != nil {}
    #expect(chunked.capacity <= 2 * 2 * ChunkedArray<Int>.chunkLength)
  }
}
