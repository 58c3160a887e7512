import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Hostile times")
struct HostileTimeTests {
  @Test("a duration beyond 64 bits of seconds becomes the longest or the shortest span")
  func saturation() {
    #expect(Nanoseconds(roundingUp: Extremes.longest) == .max)
    #expect(Nanoseconds(roundingUp: Extremes.shortest) == .min)
    #expect(Nanoseconds(roundingDown: Extremes.longest) == .max)
    #expect(Nanoseconds(roundingDown: Extremes.shortest) == .min)
    #expect(Nanoseconds(wait: Extremes.longest) == .never)
    #expect(Nanoseconds(wait: Extremes.shortest) == 0)
    #expect(Nanoseconds(roundingDown: .nanoseconds(Int64.min)) == .min)
    #expect(Nanoseconds(roundingUp: .nanoseconds(Int64.max)) == .max)
    let clock = ManualClock()
    #expect(clock.now.advanced(by: Extremes.longest) == .distantFuture)
    #expect(clock.now.advanced(by: Extremes.shortest) < clock.now)
  }

  @Test("fractions of a nanosecond are rounded up for waits and down for readings")
  func fractions() {
    let part = Duration(secondsComponent: 0, attosecondsComponent: 1)
    #expect(Nanoseconds(roundingUp: part) == 1 && Nanoseconds(roundingDown: part) == 0)
    #expect(Nanoseconds(roundingUp: .zero - part) == 0)
    #expect(Nanoseconds(roundingDown: .zero - part) == -1)
    #expect(Nanoseconds(roundingUp: .nanoseconds(5)) == 5)
    #expect(Nanoseconds(roundingDown: .nanoseconds(-5)) == -5)
  }

  @Test("law: a duration is rounded up or down as the sum of its two components is")
  func rounding() {
    var random = SplitMix64(seed: 17)
    for _ in 0..<20_000 {
      // As long as 2^bits attoseconds, and a few more or less than whole nanoseconds of them.
      let length = Int128(1) << Int128.random(in: 0...90, using: &random)
      let whole = length / 1_000_000_000 * 1_000_000_000
      let sum = (Bool.random(using: &random) ? whole : length) + .random(in: -2...2, using: &random)
      let attoseconds = Bool.random(using: &random) ? sum : -sum
      let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
      let duration = Duration(secondsComponent: Int64(seconds), attosecondsComponent: Int64(rest))
      let isWhole = rest % 1_000_000_000 == 0
      let truncated = Int64(seconds) * 1_000_000_000 + Int64(rest / 1_000_000_000)
      #expect(
        Nanoseconds(roundingUp: duration) == truncated + (isWhole || rest < 0 ? 0 : 1),
        "\(attoseconds) as")
      #expect(
        Nanoseconds(roundingDown: duration) == truncated - (isWhole || rest > 0 ? 0 : 1),
        "\(attoseconds) as")
    }
  }

  @Test("no sleep traps: one of a time that has passed ends, one that is beyond time does not")
  func sleeps() async {
    let clock = ManualClock()
    for duration in Extremes.durations {
      for tolerance in Extremes.durations {
        let task = clock.run { try await clock.sleep(for: duration, tolerance: tolerance) }
        task.cancel()
        clock.runReady()
        #expect(clock.pendingCount == 0)
      }
      let start = clock.now
      let isOver = EventRecorder<Void>(clock: clock)
      let task = clock.run {
        try? await clock.sleep(for: duration)
        isOver.record(())
      }
      #expect(isOver.values.isEmpty == (start.advanced(by: duration) > start))
      task.cancel()
      clock.runReady()
    }
  }

  @Test("a time limit beyond all limits is none, and one that has passed is over at once")
  func limits() async {
    let clock = ManualClock()
    for duration in Extremes.durations {
      let isOver = clock.now.advanced(by: duration) <= clock.now
      let result: Int? = try? await withTimeout(duration, clock: clock) { 1 }
      #expect(result == (isOver ? nil : 1), "\(duration)")
    }
    for instant in Extremes.instants {
      let isOver = instant <= clock.now
      let result: Int? = try? await withDeadline(instant, clock: clock) { 1 }
      #expect(result == (isOver ? nil : 1), "\(instant)")
    }
  }

  @Test("the wall clock may show anything")
  func wallTime() {
    for shown in Extremes.durations {
      for period in Extremes.durations where period > .zero {
        let clock = ManualClock()
        clock.wallTime = shown
        let schedule = TickSchedule.every(period, first: .aligned(offset: shown))
        let timer = DispatchTimer.scheduled(schedule, clock: clock) { _ in }
        clock.wallTime = Extremes.shortest
        clock.lapse(by: .seconds(2))
        #expect(timer.fireNow() && timer.cancel())
        #expect(clock.pendingCount == 0)
      }
    }
  }
}
