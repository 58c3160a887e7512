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

  @Test(
    "a caller that joins leaves those that are due to the wake that they share, unless it is late",
    arguments: [
      (QueuePolicy.unlimited, 300, 2), (.unlimited, 1_099, 2), (.unlimited, 1_100, 0),
      (QueuePolicy(catchUp: .milliseconds(2)), 299, 2),
      (QueuePolicy(catchUp: .milliseconds(2)), 300, 0),
      (QueuePolicy(maximumWaiters: 2), 300, 0), (QueuePolicy(newestFirst: true), 300, 0),
    ])
  func shared(policy: QueuePolicy, microseconds: Int, left: Int) {
    let (start, service) = (PacingInstant(nanoseconds: 0), ManualClock(isLazy: true).service)
    // A token every 100 µs, so that ten may share a wake.
    let bucket = TokenBucket(rate: .perSecond(10_000), burst: 1_000, initial: 0)
    let level = BucketLevel(rate: .perSecond(10_000), burst: 1_000, initial: 0, at: start)
    var contents = QueueContents(LimitState(level, at: start), policy)
    func join() {
      _ = contents.enter(
        1, within: nil, as: .completion, on: service, in: bucket.queue, { _ in })
      _ = contents.end(for: bucket.queue, in: service)
    }
    for _ in 0..<2 {
      contents.begin(at: start)
      join()
    }
    let now = start + Nanoseconds(microseconds) * 1_000
    contents.begin(at: now, isPatient: true)
    #expect(contents.waiters.count == left)
    join()
    #expect(contents.waiters.count == (left > 0 ? left + 1 : 0))
    contents.begin(at: now + 1_000_000)
    #expect(contents.waiters.isEmpty && contents.statistics.granted == 3)
  }
}
