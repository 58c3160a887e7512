import Pacing
import PacingTesting
import TestSupport
import Testing

/// Each policy with the same values: a tool that decides immediately, and handlers that wait at a
/// gate.
@Suite("Overlapping handlers")
struct OverlapTests {
  let clock = ManualClock()
  let gate = Gate<Int>()
  let log = EventRecorder<String>()
  let drops = EventRecorder<String>()

  private func tool(_ overlap: Overlap) -> Throttler<Int> {
    let tool = Throttler<Int>(every: .zero, clock: clock).handle(overlap: overlap) {
      [log, gate] value in
      log.record("\(value) begins")
      await gate.pass(value)
      log.record(Task.isCancelled ? "\(value) was cancelled" : "\(value) ends")
    }
    tool.onDrop { [drops] value, reason in drops.record("\(value) \(reason)") }
    return tool
  }

  private func end(_ tool: Throttler<Int>, open: Int..., last: Int) async {
    for value in open { gate.open(value) }
    await gate.arrival(last)
    gate.openAll()
    await clock.settle()
    clock.runReady()
    let counts = tool.statistics
    #expect(counts.received == counts.delivered + counts.merged + counts.dropped)
    #expect(counts.pending == 0 && !tool.isPending && clock.pendingCount == 0)
    #expect(counts.dropped == drops.values.count)
  }

  @Test("keepLatest runs one at a time, and the newest waits in the place of those before it")
  func keepLatest() async {
    let tool = tool(.keepLatest)
    tool.send(1)
    await gate.arrival(1)
    for value in 2...4 { tool.send(value) }
    #expect(tool.pending == 4 && tool.statistics.merged == 2)
    await end(tool, open: 1, last: 4)
    #expect(log.values == ["1 begins", "1 ends", "4 begins", "4 ends"])
  }

  @Test("queue runs one at a time; so many wait their turn, and the newest behind them")
  func queue() async {
    let tool = tool(.queue(2))
    tool.send(1)
    await gate.arrival(1)
    for value in 2...6 { tool.send(value) }
    #expect(tool.statistics.pending == 3 && tool.pending == 6)
    await end(tool, open: 1, last: 2)
    #expect(
      log.values == [1, 2, 3, 6].flatMap { ["\($0) begins", "\($0) ends"] })
    #expect(tool.statistics.merged == 2)
  }

  @Test("a queue of which nothing has begun holds as many as when one runs, in order")
  func queueAtOnce() async {
    let tool = tool(.queue(3))
    for value in 1...5 { tool.send(value) }
    #expect(tool.statistics.received == 5)
    await end(tool, last: 1)
    #expect(log.values.filter { $0.hasSuffix("begins") }.count >= 4)
    #expect(log.values.last == "5 ends")
  }

  @Test("cancelPrevious cancels the run's task, and the newest begins when that has ended")
  func cancelPrevious() async {
    let tool = tool(.cancelPrevious)
    tool.send(1)
    await gate.arrival(1)
    tool.send(2)
    tool.send(3)
    #expect(log.values == ["1 begins"], "never two at a time")
    #expect(
      tool.pending == 3 && tool.statistics.merged == 1, "2 would be begun only to be cancelled")
    gate.open(1)
    await gate.arrival(3)
    tool.send(4)
    await end(tool, open: 3, last: 4)
    #expect(
      log.values == [
        "1 begins", "1 was cancelled", "3 begins", "3 was cancelled", "4 begins", "4 ends",
      ])
  }

  @Test(
    "a timer's async handler overlaps as any other",
    arguments: [
      (.keepLatest, ["0 begins"], ["1 begins"]),
      (.concurrent(2), ["0 begins", "1 begins"], []),
      (.cancelPrevious, ["0 begins"], ["0 was cancelled", "1 begins"]),
    ] as [(Overlap, [String], [String])])
  func timer(overlap: Overlap, during: [String], after: [String]) async {
    let timer = DispatchTimer(.every(.seconds(1)), clock: clock).handle(overlap: overlap) {
      [log, gate] tick in
      log.record("\(tick.index) begins")
      await gate.pass(tick.index)
      if Task.isCancelled { log.record("\(tick.index) was cancelled") }
    }.started()
    clock.advance(by: .seconds(1))
    await gate.arrival(0)
    clock.advance(by: .seconds(1))
    if after.isEmpty { await gate.arrival(1) }
    #expect(log.values == during)
    gate.openAll()
    await clock.settle()
    #expect(log.values == during + after)
    timer.cancel()
  }

  @Test("a timer counts what dropNew drops as missed, and a series keeps its number of ticks")
  func droppedTicks() async {
    let ticks = EventRecorder<Tick>()
    let timer = DispatchTimer(.every(.milliseconds(10), count: 3), clock: clock).handle(
      overlap: .dropNew
    ) { [clock] tick in
      ticks.record(tick)
      try? await clock.sleep(for: .milliseconds(15))
    }.started()
    for _ in 0..<20 {
      clock.advance(by: .milliseconds(5))
      await clock.settle()
    }
    #expect(ticks.values.map(\.actual) == [.at(10), .at(30), .at(50)])
    #expect(ticks.values.map(\.index) == [0, 2, 4])
    #expect(ticks.values.map(\.missed) == [0, 1, 1] && ticks.values.last?.remaining == 0)
    #expect(!timer.isValid)
  }

  @Test("a tick that was asked for while dropNew drops is missed, too")
  func droppedAsked() async {
    let timer = DispatchTimer(.every(.seconds(1)), clock: clock).handle(overlap: .dropNew) {
      [log, gate] tick in
      log.record("\(tick.index), missed \(tick.missed)")
      await gate.pass(tick.index)
    }.started()
    clock.advance(by: .seconds(1))
    await gate.arrival(0)
    timer.fireNow()
    gate.openAll()
    await clock.settle()
    clock.advance(by: .seconds(1))
    await clock.settle()
    #expect(log.values == ["0, missed 0", "2, missed 1"])
    timer.cancel()
  }

  @Test("cancelPrevious cancels nothing while the newer value is not due")
  func cancelPreviousNotDue() async {
    let tool = Debouncer<Int>(for: .seconds(1), clock: clock).handle(overlap: .cancelPrevious) {
      [log, gate] value in
      await gate.pass(value)
      log.record(Task.isCancelled ? "\(value) was cancelled" : "\(value) ends")
    }
    tool.send(1)
    clock.advance(by: .seconds(1))
    await gate.arrival(1)
    tool.send(2)
    gate.open(1)
    await clock.settle()
    #expect(log.values == ["1 ends"])
    #expect(tool.cancel() == 2)
  }

  @Test("dropNew drops what falls due while one runs, with its reason")
  func dropNew() async {
    let tool = tool(.dropNew)
    tool.send(1)
    await gate.arrival(1)
    tool.send(2)
    tool.send(3)
    clock.runReady()
    #expect(drops.values == ["2 busy", "3 busy"])
    gate.open(1)
    await clock.settle()
    tool.send(4)
    await end(tool, open: 4, last: 4)
    #expect(log.values == ["1 begins", "1 ends", "4 begins", "4 ends"])
    #expect(tool.statistics.dropped(.busy) == 2)
  }

  @Test("dropNew drops what fell due while one ran, though the timer comes only after its end")
  func dropNewWhenLate() async {
    let tool = Debouncer<Int>(for: .milliseconds(10), clock: clock).handle(overlap: .dropNew) {
      [log, gate] value in
      log.record("\(value) begins")
      await gate.pass(value)
    }
    tool.onDrop { [drops] value, reason in drops.record("\(value) \(reason)") }
    tool.send(1)
    clock.advance(by: .milliseconds(10))
    await gate.arrival(1)
    tool.send(2)
    clock.lapse(by: .milliseconds(20))
    gate.open(1)
    await clock.settle()
    clock.advance(by: .milliseconds(20))
    #expect(drops.values == ["2 busy"])
    #expect(log.values == ["1 begins"])
  }

  @Test("concurrent runs so many at a time, and the newest waits for the first to end")
  func concurrent() async {
    let tool = tool(.concurrent(2))
    tool.send(1)
    tool.send(2)
    await gate.arrival(1)
    await gate.arrival(2)
    tool.send(3)
    tool.send(4)
    #expect(tool.pending == 4 && tool.statistics.delivered == 2)
    await end(tool, open: 2, last: 4)
    #expect(log.values.firstIndex(of: "2 ends")! < log.values.firstIndex(of: "4 begins")!)
    #expect(!log.values.contains("3 begins") && log.values.contains("1 ends"))
  }

  @Test("cancel takes back all that wait under a queue, and their places serve again")
  func cancelQueue() async {
    let tool = tool(.queue(2))
    tool.send(1)
    await gate.arrival(1)
    for value in 2...4 { tool.send(value) }
    #expect(tool.cancel() == 4)
    clock.runReady()
    #expect(drops.values == ["2 cancelled", "3 cancelled", "4 cancelled"])
    tool.send(5)
    await end(tool, open: 1, last: 5)
    #expect(log.values == ["1 begins", "1 ends", "5 begins", "5 ends"])
  }

  @Test("batches under a queue keep their order, under dropNew are dropped whole")
  func batches() async {
    for overlap in [Overlap.queue(2), .dropNew] {
      let gate = Gate<[Int]>()
      let taken = EventRecorder<[Int]>()
      let dropped = EventRecorder<[Int]>()
      let batcher = Batcher<Int>(BatchLimit(maximumCount: 2), clock: clock).handle(overlap: overlap)
      {
        taken.record($0)
        await gate.pass($0)
      }
      batcher.onDrop { elements, reason in
        #expect(reason == .busy)
        dropped.record(elements)
      }
      for value in 1...2 { batcher.send(value) }
      await gate.arrival([1, 2])
      for value in 3...10 { batcher.send(value) }
      gate.openAll()
      await clock.settle()
      clock.runReady()
      let isDropping = overlap == .dropNew
      let others = [[3, 4], [5, 6], [7, 8], [9, 10]]
      #expect(taken.values == [[1, 2]] + (isDropping ? [] : others))
      #expect(dropped.values == (isDropping ? others : []))
      #expect(batcher.statistics.dropped(.busy) == (isDropping ? 8 : 0))
      #expect(batcher.statistics.pending == 0)
    }
  }
}
