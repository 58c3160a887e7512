import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("MissedTicks")
struct MissedTicksTests {
  /// Plays a timer with a period of four steps.
  ///
  /// Its handler takes one step, except once, from 4 to 13. Each tick is drawn in the column of the
  /// instant at which its handler starts.
  private func draw(_ missed: MissedTicks) -> (drawing: String, ticks: [Tick]) {
    let clock = ManualClock()
    let ticks = EventRecorder<Tick>()
    let timer = DispatchTimer.scheduled(
      .every(.milliseconds(4), first: .now, missed: missed), clock: clock
    ) { tick in
      ticks.record(tick)
      clock.lapse(by: .milliseconds(tick.index == 1 ? 9 : 1))
    }
    for step in 0..<25 { clock.advance(to: .at(step)) }
    timer.cancel()
    var columns = [Character](repeating: "-", count: 25)
    for tick in ticks.values { columns[tick.actual.milliseconds] = Character("\(tick.index)") }
    return (String(columns), ticks.values)
  }

  /// Exactly the drawing in the documentation of `MissedTicks`.
  @Test(
    "each policy draws the timeline that its documentation shows",
    arguments: [
      (MissedTicks.skip, "0---1--------2--4---5---6", [0, 0, 0, 1, 0, 0]),
      (.coalesce, "0---1--------3--4---5---6", [0, 0, 1, 0, 0, 0]),
      (.delay, "0---1--------2---3---4---", [0, 0, 0, 0, 0]),
      (.burst, "0---1--------23-4---5---6", [0, 0, 0, 0, 0, 0, 0]),
      (.burst(limit: 1), "0---1--------3--4---5---6", [0, 0, 1, 0, 0, 0]),
    ])
  func timelines(missed: MissedTicks, drawing: String, passedOver: [Int]) {
    let played = draw(missed)
    #expect(played.drawing == drawing)
    #expect(played.ticks.map(\.missed) == passedOver)
    TimerLawTests.expectTheLaw(played.ticks, "the drawing")
  }

  @Test(
    "a timer that is late by ten periods hands out, and counts, what its policy says",
    arguments: [
      (MissedTicks.skip, [0, 10], [0, 9]), (.coalesce, [9, 10], [9, 0]),
      (.delay, [0, 1], [0, 0]), (.burst(limit: 3), [7, 8, 9, 10], [7, 0, 0, 0]),
      (.burst(limit: 100), Array(0...10), [Int](repeating: 0, count: 11)),
      (.burst, Array(0...10), [Int](repeating: 0, count: 11)),
    ])
  func lateByTen(missed: MissedTicks, indices: [Int], passedOver: [Int]) {
    let clock = ManualClock()
    let ticks = EventRecorder<Tick>()
    let timer = DispatchTimer.scheduled(.every(.milliseconds(4), missed: missed), clock: clock) {
      ticks.record($0)
    }
    clock.lapse(by: .milliseconds(40))
    clock.advance(by: .zero)
    clock.advance(by: .milliseconds(4))
    #expect(ticks.values.map(\.index) == indices)
    #expect(ticks.values.map(\.missed) == passedOver)
    let isOnGrid = ticks.values.allSatisfy { $0.scheduled == .at(4 * ($0.index + 1)) }
    #expect(isOnGrid == (missed != .delay))
    #expect(timer.isValid)
  }

  @Test(
    "what streams merge of a burst counts as handed out", arguments: [1, 100, 128, 129, 200, 1000])
  func mergedBurst(count: Int) async {
    let clock = ManualClock()
    let timer = DispatchTimer(.every(.seconds(1), count: count, missed: .burst), clock: clock)
    var ticks = timer.ticks().makeAsyncIterator()
    timer.start()
    clock.lapse(by: .seconds(1000))
    clock.advance(by: .zero)
    let last = await ticks.next()
    #expect(last?.index == count - 1 && last?.missed == count - 1 && last?.remaining == 0)
    #expect(timer.state == .finished)
  }

  @Test("a stream has the ticks from then on: what was due before came before")
  func lateStream() async {
    let clock = ManualClock()
    let timer = DispatchTimer(.every(.seconds(1), missed: .coalesce), clock: clock)
    timer.start()
    clock.lapse(by: .milliseconds(10_500))
    var ticks = timer.ticks().makeAsyncIterator()
    clock.advance(by: .seconds(1))
    let first = await ticks.next()
    #expect(first?.index == 10 && first?.missed == 0)
  }

  @Test(
    "a tick is missed from the next deadline on, and not a nanosecond before", arguments: [0, -1])
  func boundary(nanoseconds: Int) {
    let clock = ManualClock()
    let ticks = EventRecorder<Tick>()
    let timer = DispatchTimer.scheduled(.every(.milliseconds(4), missed: .coalesce), clock: clock) {
      ticks.record($0)
    }
    clock.lapse(by: .milliseconds(8) + .nanoseconds(nanoseconds))
    clock.advance(by: .zero)
    #expect(ticks.values.map(\.missed) == [nanoseconds == 0 ? 1 : 0])
    #expect(timer.nextDeadline == .at(nanoseconds == 0 ? 12 : 8))
  }
}
