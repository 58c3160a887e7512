import Pacing
import TestSupport
import Testing

/// Limits on a clock that moves in steps, like `.coarse`, with their decisions compared to true
/// time.
@Suite("Limits on a coarse clock")
struct CoarseClockLawTests {
  /// A bucket that is asked at true instants, and sees the last step before each.
  private struct Setting {
    let tokens: Int
    let nanoseconds: Int
    let burst: Int
    let step: Int
    private(set) var bucket: BucketState<Int>

    init(tokens: Int, per nanoseconds: Int, burst: Int, step: Int) {
      self.tokens = tokens
      self.nanoseconds = nanoseconds
      self.burst = burst
      self.step = step
      bucket = BucketState(
        rate: Rate(tokens, per: .nanoseconds(nanoseconds)), burst: burst,
        at: Self.reading(at: 0, step: step))
    }

    mutating func tryAcquire(_ cost: Int, at time: Int) -> Bool {
      bucket.tryAcquire(cost, at: Self.reading(at: time, step: step))
    }

    private static func reading(at time: Int, step: Int) -> PacingInstant {
      PacingInstant(nanoseconds: Nanoseconds(time / step * step))
    }
  }

  @Test(
    "every interval has at most the burst, and what comes in it and one step",
    arguments: Soak.seeds(200))
  func bound(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var setting = Setting(
      tokens: .random(in: 1...6, using: &random), per: .random(in: 1...40, using: &random),
      burst: .random(in: 1...20, using: &random), step: .random(in: 1...60, using: &random))
    var granted = [(time: Int, cost: Int)]()
    var time = 0
    for _ in 0..<200 {
      time += [0, 0, 1, 2, 7, 30, 200].randomElement(using: &random)!
      let cost = Int.random(in: 1...setting.burst, using: &random)
      if setting.tryAcquire(cost, at: time) { granted.append((time, cost)) }
    }
    for first in granted.indices {
      var sum = 0
      for last in granted[first...] {
        sum += last.cost
        let span = last.time - granted[first].time + setting.step
        let most = setting.burst * setting.nanoseconds + span * setting.tokens
        #expect(sum * setting.nanoseconds <= most, "seed \(seed)")
      }
    }
  }

  @Test("the bound is reached: the tokens of a step come together at its end")
  func reached() {
    var setting = Setting(tokens: 1, per: 10, burst: 5, step: 50)
    let granted = [(5, 49), (5, 50), (1, 99)].map { setting.tryAcquire($0, at: $1) }
    #expect(granted == [true, true, false])
  }
}
