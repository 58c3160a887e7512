import Pacing
import TestSupport
import Testing

@Suite("Tick state")
struct TickStateTests {
  private func state(
    _ schedule: TickSchedule, hasHandler: Bool = true, startingAt start: Int = 0
  ) -> TickState {
    var state = TickState(schedule, hasHandler: hasHandler)
    #expect(state.start(at: .at(start)) == true)
    return state
  }

  @Test("another period before the first tick: that tick comes one such period from now")
  func reschedule() {
    var state = state(.every(.milliseconds(10), first: .after(.milliseconds(100))))
    #expect(state.deadline == .at(100))
    #expect(state.reschedule(every: 20_000_000, at: .at(5)) == true)
    #expect(state.deadline == .at(25))
    #expect(state.reset(at: .at(7)) == true)
    #expect(state.deadline == .at(27))
  }

  @Test("a grid that begins again at an instant begins there, without jitter", arguments: 1...8)
  func resetAt(seed: Int) {
    var state = state(
      .every(.milliseconds(10), jitter: .milliseconds(9), seed: UInt64(seed)))
    #expect(state.reset(nextAt: .at(77)) == true)
    #expect(state.deadline == .at(77))
  }

  @Test("each interval has a jitter of its own, also one that begins again")
  func jitter() {
    var (first, again) = (Set<PacingInstant>(), Set<PacingInstant>())
    var differences = Set<Nanoseconds>()
    for seed in 1...20 as ClosedRange<UInt64> {
      var state = state(.every(.milliseconds(10), jitter: .milliseconds(9), seed: seed))
      first.insert(state.deadline)
      let deadline = state.deadline
      #expect(deadline >= .at(10) && deadline <= .at(19))
      _ = state.due(at: deadline)
      differences.insert(state.deadline - deadline)
      #expect(state.reset(nextAt: .at(50)) && state.reset(at: .at(40)))
      again.insert(state.deadline)
    }
    #expect(first.count > 10 && again.count > 10 && differences.count > 10)
  }

  @Test("of a long burst that is merged anyway, most is passed over", arguments: [true, false])
  func longBurst(hasHandler: Bool) {
    var state = state(.every(.milliseconds(1), missed: .burst), hasHandler: hasHandler)
    let tick = state.due(at: .at(1000))
    #expect(tick?.missed == (hasHandler ? 0 : 1000 - 128))
  }

  @Test("a cancelled timer is not due, not even by a tick that was asked for")
  func cancelled() {
    var state = state(.every(.milliseconds(10)))
    #expect(state.fireNow(at: .at(3)) == true)
    #expect(state.deadline == .at(3))
    _ = state.cancel()
    #expect(state.isFinished && state.deadline == .distantFuture)
  }

  @Test("a tick that was asked for at an instant of the grid comes after the grid's")
  func tie() {
    var state = state(.every(.milliseconds(10)))
    #expect(state.fireNow(at: .at(10)) == true)
    let ticks = [state.due(at: .at(10)), state.due(at: .at(10))]
    #expect(ticks.map { $0?.index } == [0, 1] && state.deadline == .at(20))
  }

  @Test("the last tick of the grid is the last, also if one more was asked for")
  func lastTick() {
    var state = state(.every(.milliseconds(10), count: 1))
    #expect(state.fireNow(at: .at(12)) == true)
    let tick = state.due(at: .at(12))
    #expect(tick?.scheduled == .at(10))
    #expect(state.isFinished && state.deadline == .distantFuture)
  }

  @Test("a tick says what was missed before it, and how late it is")
  func counts() {
    var state = state(.every(.milliseconds(10), missed: .coalesce))
    let ticks = [10, 35, 41].map { state.due(at: .at($0)) }
    #expect(ticks.map { $0?.missed } == [0, 1, 0])
    #expect(ticks.map { $0?.lateness } == [.zero, .milliseconds(5), .milliseconds(1)])
  }

  @Test("jitter is shorter than the period, also than one that has become short", arguments: 1...8)
  func shortPeriod(seed: Int) {
    var state = state(
      .every(.milliseconds(10), jitter: .milliseconds(9), seed: UInt64(seed)))
    #expect(state.reschedule(every: 1, at: .at(5)) == true)
    for step in 1...8 as ClosedRange<Nanoseconds> {
      #expect(state.deadline == .at(5) + step)
      _ = state.due(at: state.deadline)
    }
  }

  @Test("what is passed over is counted once, of the grid and what was asked for alike")
  func passedOver() {
    var state = state(.every(.milliseconds(10)))
    for (asked, now, deadline) in [(100, 9, 10), (5, 5, 10), (100, 10, 20), (25, 30, 40)] {
      if asked < 100 { #expect(state.fireNow(at: .at(asked)) == true) }
      #expect(state.passOver(at: .at(now)) == true)
      #expect(state.deadline == .at(deadline))
    }
    let tick = state.due(at: .at(40))
    #expect(tick?.index == 5 && tick?.missed == 5)
    #expect(state.due(at: .at(50))?.missed == 0)
  }

  @Test("a first tick that is passed over has been")
  func passedOverFirst() {
    var state = state(.every(.milliseconds(10), first: .after(.milliseconds(100))))
    #expect(state.passOver(at: .at(100)) == true)
    #expect(state.deadline == .at(110))
    #expect(state.reset(at: .at(105)) == true)
    #expect(state.deadline == .at(115))
  }

  @Test("a tick that did not count as received is missed by the next")
  func missedAfterAll() {
    var state = state(.every(.milliseconds(10), missed: .coalesce))
    let tick = state.due(at: .at(35))!
    #expect(tick.missed == 2)
    state.miss(tick)
    #expect(state.due(at: .at(40))?.missed == 3)
  }

  @Test("a timer ends with the owner of its handler, and not for want of a consumer")
  func ownerGone() {
    var state = state(.every(.milliseconds(10)), hasHandler: false)
    let tick = state.due(at: .at(10))!
    state.dropped(tick, .noConsumer)
    #expect(!state.isFinished)
    state.handlerWasAttached()
    state.dropped(tick, .noConsumer)
    #expect(state.isFinished)
  }

  @Test("the grid moves each time that the wall clock is set, by as much as since the last time")
  func follows() {
    var state = state(.every(.milliseconds(10), first: .aligned), startingAt: 3)
    #expect(state.deadline == .at(10))
    for (offset, deadline) in [(0, 10), (2, 8), (3, 7), (3, 7)] {
      state.follow(Nanoseconds(offset) * 1_000_000, at: .at(3))
      #expect(state.deadline == .at(deadline), "\(offset)")
    }
  }
}
