import Pacing
import TestSupport
import Testing

@Suite("Limits: the stages of a forecast")
struct StagesTests {
  @Test("a stage before any of the last steps is at most four times as far from the end")
  func distance() {
    var stages = Stages<Int>()
    for end in 1...120 {
      stages.append(end)
      for step in 1...end {
        var left = stages
        left.removeLast { $0 >= step }
        let steps = end - (left.last ?? 0)
        #expect(steps <= 4 * (end - step + 1), "\(end), \(step)")
        #expect(left.last ?? 0 < step && left.count == left.last ?? 0)
      }
    }
  }

  @Test("whatever comes and goes, the last stage is one that is left", arguments: Soak.seeds(50))
  func comeAndGo(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var stages = Stages<Int>()
    var list = [Int]()
    var work = 0
    for name in 0..<500 {
      guard !list.isEmpty, Int.random(in: 0..<4, using: &random) == 0 else {
        list.append(name)
        stages.append(name)
        continue
      }
      // The steps behind the one removed come again.
      let index = Int.random(in: max(0, list.count - 9)..<list.count, using: &random)
      let removed = list.remove(at: index)
      stages.removeLast { $0 >= removed }
      let last = stages.last
      #expect(last.map { list[..<index].contains($0) } ?? true, "seed \(seed)")
      let start = last.map { list.firstIndex(of: $0)! + 1 } ?? 0
      #expect(stages.count == start, "seed \(seed)")
      work += list.count - start
      for name in list[start...] { stages.append(name) }
    }
    #expect(work <= 4 * 9 * 500, "seed \(seed)")
  }
}
