import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Hostile values")
struct HostileValuesTests {
  static let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
  static let shortest = Duration(secondsComponent: 0, attosecondsComponent: 1)

  let clock = ManualClock()
  let ticks = EventRecorder<Tick>()

  private func timer(
    every period: Duration, first: FirstTick = .afterPeriod, missed: MissedTicks = .skip
  ) -> DispatchTimer {
    .scheduled(.every(period, first: first, missed: missed), clock: clock) { [ticks] in
      ticks.record($0)
    }
  }

  @Test("a period or a delay beyond time never comes, not at the end of time either")
  func never() {
    let timers = [
      timer(every: Self.longest), timer(every: .seconds(1), first: .after(Self.longest)),
      timer(every: .seconds(1), first: .at(.distantFuture)),
    ]
    let debouncer = Debouncer<Int>(for: Self.longest, clock: clock) { _ in Issue.record("early") }
    debouncer.send(1)
    clock.advance(by: Self.longest)
    clock.advance(to: .distantFuture)
    #expect(clock.now < .distantFuture)
    #expect(timers.allSatisfy { $0.state == .running } && debouncer.isPending)
    #expect(ticks.values.isEmpty && clock.pendingCount == 0 && clock.nextDeadline == nil)
  }

  @Test("at the end of time an idle timer stays idle, and one that is over stays over")
  func endOfTime() {
    let idle = DispatchTimer(.every(.seconds(1)), clock: clock) { [ticks] in ticks.record($0) }
    let over = timer(every: .seconds(1))
    over.cancel()
    clock.lapse(by: Self.longest)
    idle.start()
    over.suspend()
    clock.advance(by: Self.longest)
    #expect(ticks.values.isEmpty)
  }

  @Test("a fraction of a nanosecond is a nanosecond")
  func attoseconds() {
    let timer = timer(every: Self.shortest)
    clock.advance(by: Self.shortest)
    clock.advance(by: .nanoseconds(2))
    #expect(ticks.values.map(\.scheduled.nanoseconds) == [1, 2, 3])
    timer.cancel()
  }

  @Test(
    "a period of a nanosecond, and hours or an eternity of lateness, take no time",
    arguments: [
      (MissedTicks.skip, 0), (.coalesce, 1), (.burst(limit: 2), 2), (.delay, 0), (.burst, 0),
    ], [Duration.seconds(3600), longest])
  func lateness(missed: (policy: MissedTicks, limit: Int), lateness: Duration) {
    let timer = timer(every: .nanoseconds(1), missed: missed.policy)
    var stream = DispatchTimer.ticks(.every(.nanoseconds(1), missed: missed.policy), clock: clock)
    clock.lapse(by: lateness)
    // Each call and each end of a handler decides a bounded number of ticks of an unlimited burst.
    timer.suspend()
    timer.cancel()
    stream = AsyncStream { nil }
    _ = stream
    clock.advance(by: .zero)
    #expect(ticks.values.isEmpty && clock.pendingCount == 0)
  }

  @Test("numbers of ticks saturate")
  func indices() {
    let timer = timer(every: .nanoseconds(1))
    clock.lapse(by: Self.longest)
    clock.advance(by: .zero)
    for _ in 0..<3 {
      timer.fireNow()
      clock.advance(by: .zero)
    }
    timer.reset(nextAt: clock.now.advanced(by: .zero - Self.longest))
    timer.reset(nextAt: PacingInstant(nanoseconds: .min))
    clock.advance(by: .zero)
    #expect(ticks.values.last?.index == .max)
    #expect(TickState.merge(ticks.values.last!, into: ticks.values.last!).missed >= 0)
  }

  /// Valid schedules that no caller would choose.
  static let schedules: [TickSchedule] = [
    .every(.nanoseconds(1), count: .max),
    .every(longest, first: .now),
    .every(longest, jitter: .seconds(1_000_000_000_000)),
    .every(.nanoseconds(2), missed: .burst(limit: .max), jitter: .nanoseconds(1)),
    .every(.seconds(60), first: .aligned(offset: longest)),
    .every(.seconds(60), first: .aligned(offset: .zero - longest)),
    .every(longest, first: .aligned), .every(shortest, first: .aligned, missed: .delay),
    .every(.seconds(1), first: .atWallTime(longest)),
    .every(.seconds(1), first: .atWallTime(.zero - longest), missed: .coalesce),
    .once(after: longest), .once(after: .zero - longest), .once(at: .distantFuture),
    .once(at: PacingInstant(nanoseconds: .min)), .once(atWallTime: longest),
    .once(atWallTime: .zero - longest),
  ]

  @Test("no schedule traps, ticks early or twice, whatever the clocks show", arguments: schedules)
  func anySchedule(schedule: TickSchedule) {
    let timer = DispatchTimer(schedule, clock: clock) { [ticks] in ticks.record($0) }
    let walls = [Duration.zero, Self.longest, .zero - Self.longest, .seconds(1_700_000_000)]
    for (step, wall) in walls.enumerated() {
      clock.wallTime = wall
      timer.start()
      timer.suspend(keepingRemaining: step.isMultiple(of: 2))
      timer.resume()
      clock.lapse(by: .nanoseconds(5))
      timer.fireNow()
      timer.reset()
      clock.lapse(by: .seconds(2))
      timer.suspend(keepingRemaining: true)
      timer.start()
    }
    clock.lapse(by: Self.longest)
    clock.wallTime = .zero
    timer.suspend()
    timer.reschedule(every: Self.shortest)
    timer.start()
    timer.reschedule(every: Self.longest)
    timer.reset(nextAt: PacingInstant(nanoseconds: .min))
    timer.cancel()
    clock.advance(by: .zero)
    #expect(ticks.values.allSatisfy { $0.actual >= $0.scheduled && $0.missed >= 0 })
    TimerLawTests.expectTheLaw(ticks.values, "\(schedule)")
    #expect(clock.pendingCount == 0)
  }

  /// An unlimited burst of a stream, which no handler delays, is decided in portions.
  @Test("an unlimited burst without a handler leaves room for other timers between its portions")
  func portions() {
    let burst = DispatchTimer(.every(.nanoseconds(1), missed: .burst), clock: clock)
    burst.start()
    clock.lapse(by: .seconds(3600))
    #expect(burst.suspend())
    #expect(burst.state == .suspended)
  }
}
