import Pacing
import TestSupport
import Testing

@Suite("FIFO")
struct FIFOTests {
  @Test(
    "keeps the order of its elements, and the numbers that they were given",
    arguments: Soak.seeds(20))
  func order(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var queue = FIFO<Int>()
    var (next, oldest) = (0, 0)
    for _ in 0..<5_000 {
      if Int.random(in: 0..<2, using: &random) == 0 {
        for _ in 0..<Int.random(in: 0..<9, using: &random) {
          #expect(queue.end == next, "seed \(seed)")
          queue.append(next)
          next += 1
        }
      } else {
        for _ in 0..<Int.random(in: 0..<9, using: &random) where oldest < next {
          #expect(queue[oldest] == oldest && queue.popFirst() == oldest, "seed \(seed)")
          oldest += 1
        }
      }
      #expect(queue.count == next - oldest, "seed \(seed)")
    }
    #expect(Array(queue) == Array(oldest..<next), "seed \(seed)")
  }
}
