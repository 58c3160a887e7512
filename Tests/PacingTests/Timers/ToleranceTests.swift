import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Tolerance")
struct ToleranceTests {
  @Test("moves a wake later within the tolerance, and never earlier", arguments: Soak.seeds(20))
  func bounds(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let shifts = (Int.random(in: 1...63, using: &random), Int.random(in: 0...40, using: &random))
      let tolerance = Nanoseconds(random.next() >> UInt64(shifts.0))
      let deadline = PacingInstant(
        nanoseconds: Nanoseconds(bitPattern: random.next()) >> Nanoseconds(shifts.1))
      let wake = deadline.coalesced(within: tolerance)
      #expect(wake >= deadline, "\(deadline) within \(tolerance), seed \(seed)")
      #expect(wake - deadline <= tolerance, "\(deadline) within \(tolerance), seed \(seed)")
    }
  }

  @Test("of a tool or a timer makes a delivery late by no more", arguments: Soak.seeds(20))
  func deliveries(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20 {
      let clock = ManualClock()
      let seen = EventRecorder<PacingInstant>()
      let wait = Duration.microseconds(Int.random(in: 1...50_000, using: &random))
      let tolerance = Duration.microseconds(Int.random(in: 0...20_000, using: &random))
      clock.advance(by: .microseconds(Int.random(in: 0...30_000, using: &random)))
      let due = clock.now.advanced(by: wait)
      let tool = Debouncer<Int>(for: wait, tolerance: tolerance, clock: clock) { _ in
        seen.record(clock.now)
      }
      tool.send(1)
      let timer = DispatchTimer.scheduled(after: wait, tolerance: tolerance, clock: clock) {
        seen.record(clock.now)
      }
      clock.advance(by: .seconds(1))
      let isInTime = seen.values.allSatisfy { $0 >= due && $0 <= due.advanced(by: tolerance) }
      #expect(seen.values.count == 2 && isInTime, "seed \(seed)")
      timer.cancel()
    }
  }

  @Test(
    "neither moves the instant that never comes nor leaves the end of time",
    arguments: [1, 1000, 1 << 40, .max] as [Nanoseconds])
  func endOfTime(tolerance: Nanoseconds) {
    for distance in [0, 1, 999, Nanoseconds.max / 3] {
      let deadline = PacingInstant(nanoseconds: .never - distance)
      #expect(deadline.coalesced(within: tolerance) >= deadline)
    }
  }

  @Test("a millisecond of it brings the deadlines of a millisecond together in a few wakes")
  func coalesces() {
    let wakes = Set(
      (0..<1000).map {
        PacingInstant(nanoseconds: Nanoseconds($0) * 1000).coalesced(within: 1_000_000)
      })
    #expect(wakes.count == 3)
    #expect(PacingInstant.at(7).coalesced(within: 0) == .at(7))
  }
}
