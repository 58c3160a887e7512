import PacingTesting
import TestSupport
import Testing

@testable import Pacing

@Suite("Limits: wakes")
struct WakeLawTests {
  let clock = ManualClock()

  @Test(
    "waiters are served in order, by at most one wake more than there are waiters, whichever leave",
    arguments: LimitKind.allCases, Soak.seeds(40))
  func wakes(kind: LimitKind, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let burst = Int.random(in: 1...5, using: &random)
    let limit = kind.make(burst: burst, initial: 0, clock: clock)
    let recorder = EventRecorder<Int>(clock: clock)
    var handles = [Acquisition]()
    var left = [Int]()
    var wakes = 0
    for name in 0..<Int.random(in: 1...60, using: &random) {
      let cost = Int.random(in: 1...burst, using: &random)
      handles.append(limit.acquire(Costs(cost)) { _ in recorder.record(name) })
      if Int.random(in: 0..<4, using: &random) == 0 {
        let leaving = Int.random(in: 0...name, using: &random)
        if handles[leaving].cancel() { left.append(leaving) }
      }
      guard Int.random(in: 0..<3, using: &random) == 0, let next = clock.nextDeadline else {
        continue
      }
      wakes += 1
      clock.advance(to: next)
    }
    while let next = clock.nextDeadline {
      wakes += 1
      clock.advance(to: next)
    }
    #expect(recorder.values == (0..<handles.count).filter { !left.contains($0) }, "seed \(seed)")
    #expect(wakes <= handles.count + 1, "seed \(seed)")
    #expect(limit.waitingCount == 0)
  }

  @Test(
    "a wake may be late by what fills an eighth of the bucket, if two tokens come in that time",
    arguments: [(81, 100, 10_000), (81, 5, 5000), (17, 100, 2000), (16, 100, 0)])
  func spareTime(burst: Int, most: Int64, spare: Int64) {
    // A token a millisecond.
    let scale = BucketScale(rate: .perSecond(1000), burst: burst)
    #expect(scale.spareTime(within: most * 1_000_000) == spare * 1000)
  }
}
