import Pacing
import TestSupport
import Testing

@Suite("Limits on a coarse clock")
struct CoarseClockLawTests {
  /// A bucket that is asked at true instants, and sees the last step before each.
  private struct SteppedBucket {
    let tokens: Int
    let span: Int
    let burst: Int
    let step: Int
    private var bucket: InstantLimit

    init(tokens: Int, per span: Int, burst: Int, step: Int) {
      (self.tokens, self.span, self.burst, self.step) = (tokens, span, burst, step)
      bucket = InstantLimit(
        rate: Rate(tokens, per: .nanoseconds(span)), burst: burst, at: PacingInstant(nanoseconds: 0)
      )
    }

    mutating func tryAcquire(_ cost: Int, at time: Int) -> Bool {
      bucket.tryAcquire(cost, at: PacingInstant(nanoseconds: Nanoseconds(time / step * step)))
    }
  }

  @Test("every interval has at most the burst, and what accrues in it and one step")
  func bound() {
    for seed in Soak.seeds(800) {
      var random = SplitMix64(seed: seed)
      var bucket = SteppedBucket(
        tokens: .random(in: 1...6, using: &random), per: .random(in: 1...40, using: &random),
        burst: .random(in: 1...20, using: &random), step: .random(in: 1...60, using: &random))
      var granted = [(time: Int, cost: Int)]()
      var time = 0
      for _ in 0..<100 {
        time += [0, 0, 1, 2, 7, 30, 200].randomElement(using: &random)!
        let cost = Int.random(in: 1...bucket.burst, using: &random)
        if bucket.tryAcquire(cost, at: time) { granted.append((time, cost)) }
      }
      for first in granted.indices {
        var sum = 0
        for last in granted[first...] {
          sum += last.cost
          let most =
            bucket.burst * bucket.span
            + (last.time - granted[first].time + bucket.step) * bucket.tokens
          if sum * bucket.span > most { Issue.record("seed \(seed): \(sum) by \(last.time)") }
        }
      }
    }
  }

  @Test("the bound is reached: the tokens of a step come together at its end")
  func reached() {
    var bucket = SteppedBucket(tokens: 1, per: 10, burst: 5, step: 50)
    let granted = [(5, 49), (5, 50), (1, 99)].map { bucket.tryAcquire($0, at: $1) }
    #expect(granted == [true, true, false])
  }
}
