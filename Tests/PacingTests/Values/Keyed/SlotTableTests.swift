import Pacing
import PacingTesting
import TestSupport
import Testing

/// A key whose hash is one of a few, if `hashes` is small.
private struct CrowdedKey: Hashable, Sendable {
  let number: Int
  let hashes: Int

  func hash(into hasher: inout Hasher) { hasher.combine(number % hashes) }
}

@Suite("Keys in buckets")
struct SlotTableTests {
  @Test(
    "hold what a dictionary would, however many keys share a hash",
    arguments: Soak.seeds(8), [1, 7, .max])
  func likeADictionary(seed: UInt64, hashes: Int) {
    var random = SplitMix64(seed: seed)
    let tool = KeyedDebouncer<CrowdedKey, Int>(for: .seconds(1), clock: ManualClock())
    let keys = (0..<(hashes == .max ? 1500 : 100)).map { CrowdedKey(number: $0, hashes: hashes) }
    var model = [CrowdedKey: Int]()
    for step in 0..<3000 {
      let key = keys.randomElement(using: &random)!
      // Alternately grows and shrinks, across the bounds of chunks.
      if Int.random(in: 0..<8, using: &random) == 0 ? step % 1500 >= 1200 : step % 1500 < 1200 {
        tool.send(step, for: key)
        model[key] = step
      } else {
        let known = model.keys.sorted { $0.number < $1.number }.randomElement(using: &random)
        let gone = known ?? key
        #expect(tool.cancel(for: gone) == model.removeValue(forKey: gone), "seed \(seed)")
      }
      #expect(tool.pending(for: key) == model[key], "seed \(seed), step \(step)")
      #expect(tool.keyCount == model.count, "seed \(seed), step \(step)")
    }
    #expect(tool.pending == model, "seed \(seed)")
  }
}
