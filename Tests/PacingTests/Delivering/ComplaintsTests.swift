import Pacing
import PacingTesting
import TestSupport
import Testing

/// Bugs that users of other libraries reported, one test each.
@Suite("Complaints about other debouncers and throttlers")
struct ComplaintsTests {
  let clock = ManualClock()
  let log = EventRecorder<String>()

  private func note(_ value: Int) { log.record("\(value)@\(clock.now.milliseconds)") }

  private func debouncer(_ edges: Edges = .trailing) -> Debouncer<Int> {
    Debouncer(for: .milliseconds(100), edges: edges, clock: clock) { [self] in note($0) }
  }

  private func throttler(_ edges: Edges = .both) -> Throttler<Int> {
    Throttler(every: .milliseconds(100), edges: edges, clock: clock) { [self] in note($0) }
  }

  @Test("async-algorithms#266, #113, #248: the last value comes at the window's end, by a timer")
  func lastValue() {
    let tool = throttler()
    tool.send(1)
    tool.send(2)
    clock.advance(by: .milliseconds(100))
    #expect(log.values == ["1@0", "2@100"])
  }

  @Test("async-algorithms: a slow consumer does not make a debouncer wait another window")
  func slowConsumer() async {
    let tool = Debouncer<Int>(for: .milliseconds(100), clock: clock)
    var ticks = tool.ticks().makeAsyncIterator()
    tool.send(1)
    clock.advance(by: .milliseconds(100))
    tool.send(2)
    clock.advance(by: .milliseconds(100))
    #expect(await ticks.next() == 2)
    #expect(clock.pendingCount == 0)
  }

  @Test("async-algorithms' AsyncTimerSequence: after a stall comes one tick, and not a burst")
  func stall() async {
    var ticks = DispatchTimer.ticks(every: .milliseconds(100), clock: clock).makeAsyncIterator()
    clock.lapse(by: .milliseconds(550))
    clock.advance(by: .zero)
    #expect(await ticks.next()?.index == 0)
    clock.advance(by: .milliseconds(50))
    #expect(await ticks.next() == Tick(index: 5, scheduled: .at(600), actual: .at(600), missed: 4))
  }

  @Test("lodash#5780, #4648, #4074: a flush leaves no timer alive")
  func flushDisarms() {
    let (debouncer, throttler) = (debouncer(), throttler(.trailing))
    debouncer.send(1)
    throttler.send(2)
    #expect(clock.pendingCount == 2)
    debouncer.flush()
    throttler.flush()
    #expect(clock.pendingCount == 0)
    clock.advance(by: .seconds(1))
    #expect(log.values == ["1@0", "2@0"])
  }

  @Test("radash#475: flush fires once", arguments: [Edges.leading, .trailing, .both])
  func flushOnce(edges: Edges) {
    let tool = debouncer(edges)
    tool.send(1)
    clock.advance(by: .zero)
    tool.send(2)
    tool.flush()
    tool.flush()
    clock.advance(by: .seconds(1))
    #expect(
      log.values == (edges == .leading ? ["1@0"] : edges == .both ? ["1@0", "2@0"] : ["2@0"]))
  }

  @Test(
    "lodash#5633, pacer#234: after a lone leading call nothing is pending, and flush runs nothing")
  func loneLeading() {
    let (debouncer, throttler) = (debouncer(.both), throttler(.both))
    debouncer.send(1)
    throttler.send(2)
    clock.advance(by: .zero)
    #expect(!debouncer.isPending && !throttler.isPending)
    #expect(!debouncer.flush() && !throttler.flush())
    #expect(debouncer.pending == nil && debouncer.timeRemaining == nil)
    clock.advance(by: .seconds(1))
    #expect(log.values == ["1@0", "2@0"])
  }

  @Test("RxSwift#2316, underscore#1473: setting the wall clock back stalls nothing")
  func wallClock() {
    let tool = throttler()
    tool.send(1)
    tool.send(2)
    clock.wallTime = .zero - .seconds(3_600)
    clock.advance(by: .milliseconds(100))
    #expect(log.values == ["1@0", "2@100"])
  }

  @Test("RxSwift#2098: no rounding lets a second event through, a nanosecond before the end")
  func rounding() {
    let tool = throttler(.leading)
    tool.send(1)
    clock.advance(by: .milliseconds(100) - .nanoseconds(1))
    tool.send(2)
    clock.advance(by: .nanoseconds(1))
    tool.send(3)
    clock.advance(by: .zero)
    #expect(log.values == ["1@0", "3@100"])
  }

  @Test("xstream#257, rxjs#3351, ReactiveSwift#287: finishing does not lose the last value")
  func lastOnFinish() {
    let (debouncer, throttler) = (debouncer(), throttler())
    let auditor = Auditor<Int>(for: .milliseconds(100), clock: clock) { [self] in note($0) }
    for percent in [99, 100] {
      debouncer.send(percent)
      throttler.send(percent)
      auditor.send(percent)
    }
    debouncer.finish()
    throttler.finish()
    auditor.finish()
    clock.advance(by: .seconds(1))
    #expect(log.values.sorted() == ["100@0", "100@100", "100@100", "99@0"])
  }

  @Test("rxjs#2859: with both edges a single value comes once")
  func singleValue() {
    let (debouncer, throttler) = (debouncer(.both), throttler(.both))
    debouncer.send(1)
    throttler.send(2)
    clock.advance(by: .seconds(1))
    debouncer.finish()
    throttler.finish()
    clock.advance(by: .seconds(1))
    #expect(log.values == ["1@0", "2@0"])
  }

  @Test("kotlinx#1446: there is a throttle, with every edge")
  func throttle() {
    for (edges, expected) in [
      (Edges.leading, ["1@0", "3@100"]), (.trailing, ["2@100", "3@200"]),
      (.both, ["1@0", "2@100", "3@200"]),
    ] {
      let start = clock.now.milliseconds
      let tool = Throttler<Int>(every: .milliseconds(100), edges: edges, clock: clock) {
        [log, clock] in log.record("\($0)@\(clock.now.milliseconds - start)")
      }
      tool.send(1)
      tool.send(2)
      clock.advance(by: .milliseconds(100))
      tool.send(3)
      clock.advance(by: .milliseconds(100))
      #expect(log.takeAll() == expected)
    }
  }

  @Test("p-throttle#40: no wait is too long for the timer")
  func longWaits() {
    let tool = Debouncer<Int>(for: .seconds(Int64.max), clock: clock) { [self] in note($0) }
    let month = Debouncer<Int>(for: .seconds(40 * 86_400), clock: clock) { [self] in note($0) }
    tool.send(1)
    month.send(2)
    clock.advance(by: .seconds(40 * 86_400) - .nanoseconds(1))
    #expect(log.values.isEmpty)
    clock.advance(by: .nanoseconds(1))
    #expect(log.values == ["2@3456000000"] && tool.isPending)
  }

  @Test("pacer's Batcher: a trickle does not put a batch's maximum wait off")
  func trickle() {
    let batches = EventRecorder<String>()
    let batcher = Batcher<Int>(maximumCount: 100, maximumDelay: .milliseconds(50), clock: clock) {
      [clock] batch in batches.record("\(batch)@\(clock.now.milliseconds)")
    }
    for value in 0..<6 {
      batcher.send(value)
      clock.advance(by: .milliseconds(20))
    }
    #expect(batches.values == ["[0, 1, 2]@50", "[3, 4, 5]@110"])
  }

  @Test("values of any type come out as they went in, also nil and nil within")
  func optionals() {
    let values = EventRecorder<Int??>()
    let tool = Throttler<Int??>(every: .zero, clock: clock) { values.record($0) }
    let keyed = KeyedThrottler<Int?, Int?>(every: .zero, clock: clock) { key, value in
      values.record(key == nil ? .some(value) : .none)
    }
    for value: Int?? in [.none, .some(.none), .some(.some(1))] {
      tool.send(value)
      clock.runReady()
    }
    keyed.send(nil, for: nil)
    clock.runReady()
    #expect(values.values == [.none, .some(.none), .some(.some(1)), .some(.none)])
  }
}
