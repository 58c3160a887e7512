import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("ManualClock")
struct ManualClockTests {
  let clock = ManualClock()
  let log = EventRecorder<String>()

  /// A timer that notes its name and the time, once.
  private func timer(_ name: String, after delay: Int) -> DispatchTimer {
    .scheduled(after: .milliseconds(delay), clock: clock) { [log, clock] in
      log.record("\(name)@\(clock.now.milliseconds)")
    }
  }

  @Test("stands still until it is moved, by a span or to an instant, and never goes back")
  func moving() {
    #expect(clock.now == .at(0))
    clock.advance(by: .milliseconds(5))
    clock.advance(to: .at(9))
    clock.advance(to: .at(3))
    clock.advance(by: .milliseconds(-4))
    clock.lapse(by: .milliseconds(-4))
    #expect(clock.now == .at(9))
    #expect(clock.minimumResolution == .nanoseconds(1))
  }

  @Test("stops at each deadline on its way, the earliest first, equal ones as they were set")
  func order() {
    let timers = [("c", 30), ("a", 10), ("d", 30), ("b", 20), ("e", 30), ("now", 0)].map(timer)
    #expect(clock.pendingCount == 5, "the one that is due at once has been decided")
    #expect(clock.nextDeadline == .at(10))
    clock.advance(by: .milliseconds(29))
    #expect(log.values == ["now@0", "a@10", "b@20"])
    clock.advance(by: .milliseconds(1))
    #expect(log.values.suffix(3) == ["c@30", "d@30", "e@30"])
    #expect(clock.pendingCount == 0 && clock.nextDeadline == nil)
    withExtendedLifetime(timers) {}
  }

  @Test("shows a deadline that was moved where it is, in its place among equal ones")
  func movedDeadlines() {
    let first = Debouncer<String>(for: .milliseconds(30), clock: clock) { [log] in log.record($0) }
    let second = Debouncer<String>(for: .milliseconds(30), clock: clock) { [log] in log.record($0) }
    first.send("old")
    clock.advance(by: .milliseconds(10))
    first.send("first")
    second.send("second")
    #expect(clock.nextDeadline == .at(40))
    #expect(clock.pendingCount == 2)
    clock.advance(to: clock.nextDeadline!)
    #expect(log.values == ["first", "second"])
  }

  @Test("a deadline that a handler adds on the way is met on the way")
  func addedOnTheWay() {
    let added = Slot<DispatchTimer>()
    let timer = DispatchTimer.scheduled(after: .milliseconds(10), clock: clock) { [self] in
      added.put(self.timer("added", after: 5))
    }
    clock.advance(by: .milliseconds(100))
    #expect(log.values == ["added@15"])
    withExtendedLifetime(timer) {}
  }

  @Test("after a lapse everything is late, and comes in the order of its deadlines")
  func lapse() {
    let timers = [("b", 20), ("a", 10), ("c", 60)].map(timer)
    clock.lapse(by: .milliseconds(50))
    #expect(log.values.isEmpty && clock.nextDeadline == .at(10))
    clock.runReady()
    #expect(log.values.isEmpty, "no timer runs")
    clock.advance(by: .zero)
    #expect(log.values == ["a@50", "b@50"])
    clock.advance(by: .milliseconds(10))
    #expect(log.values.last == "c@60")
    withExtendedLifetime(timers) {}
  }

  @Test("runReady runs what has been decided, and no timer")
  func runReady() {
    let tool = Throttler<String>(every: .milliseconds(10), clock: clock) { [log] in log.record($0) }
    tool.send("a")
    tool.send("b")
    clock.lapse(by: .milliseconds(50))
    #expect(log.values.isEmpty)
    clock.runReady()
    #expect(log.values == ["a", "b"], "the end of the first looks at the time")
  }

  @Test("a handler that advances the clock lets nothing overtake what was decided before")
  func recursion() {
    let tools = ["a", "b", "c"].map { name in
      Throttler<String>(every: .milliseconds(10), clock: clock) { [log, clock] value in
        log.record("\(name)\(value)@\(clock.now.milliseconds)")
        if name == "a" { clock.advance(by: .milliseconds(25)) }
        log.record("\(name) ends")
      }
    }
    let timer = timer("timer", after: 20)
    for tool in tools { tool.send("1") }
    clock.advance(by: .milliseconds(1))
    #expect(
      log.values
        == ["a1@0", "b1@0", "b ends", "c1@0", "c ends", "timer@20", "a ends"])
    #expect(clock.now == .at(25))
    withExtendedLifetime((tools, timer)) {}
  }

  @Test("work for a queue has been enqueued when advance returns, and settle waits for its end")
  func settle() async {
    let queue = DispatchQueue(label: "settle")
    let next = DispatchTimer(.once(after: .milliseconds(1)), clock: clock).handle(
      on: .queue(queue)
    ) { [log] _ in log.record("b") }.started()
    let tool = Debouncer<String>(for: .zero, clock: clock).handle(on: .queue(queue)) {
      [log] value in
      log.record(value)
      if value == "a" { next.fireNow() }
    }
    queue.suspend()
    tool.send("a")
    queue.async { [log] in log.record("after") }
    queue.resume()
    await clock.settle()
    #expect(log.values == ["a", "after", "b"], "settled means what handlers set off, too")
    await clock.settle()
  }

  @Test("settle does not wait for what only an advance can begin")
  func settleWithoutAdvance() async {
    let tool = Throttler<String>(every: .milliseconds(10), clock: clock) { [log] in log.record($0) }
    tool.send("a")
    await clock.settle()
    #expect(log.values.isEmpty)
    clock.advance(by: .zero)
    #expect(log.values == ["a"])
  }

  @Test("settle waits for async handlers, but not while they wait for the clock")
  func settleAsleep() async {
    let tool = Debouncer<String>(for: .zero, clock: clock).handle { [log, clock] value in
      log.record("\(value) begins")
      try? await clock.sleep(for: .milliseconds(10))
      log.record("\(value) wakes")
      // In tasks of its own, too.
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { try? await clock.sleep(for: .milliseconds(10)) } }
      }
      log.record("\(value) ends")
    }
    tool.send("a")
    clock.advance(by: .zero)
    await clock.settle()
    #expect(log.takeAll() == ["a begins"])
    tool.send("b")
    clock.advance(by: .milliseconds(10))
    await clock.settle()
    #expect(log.takeAll() == ["a wakes"])
    // A handler waits as soon as one of its tasks does.
    await clock.sleepers(atLeast: 2)
    clock.advance(by: .milliseconds(10))
    await clock.settle()
    #expect(log.takeAll() == ["a ends", "b begins"])
    clock.advance(by: .milliseconds(20))
    await clock.settle()
    #expect(log.takeAll() == ["b wakes"])
  }

  @Test("settle waits for a handler whose wait for a token or a time was cut short")
  func settleCancelled() async {
    let bucket = TokenBucket(rate: .perSecond(1), burst: 1, clock: clock)
    let tool = Debouncer<Int>(for: .zero, clock: clock).handle(overlap: .cancelPrevious) {
      [log, clock] value in
      do {
        try await bucket.acquire()
        try await clock.sleep(for: .seconds(60))
      } catch { log.record("\(value) cancelled") }
    }
    for value in 1...3 {
      tool.send(value)
      clock.advance(by: .zero)
      await clock.settle()
      #expect(log.values == (1..<value).map { "\($0) cancelled" })
    }
    #expect(tool.cancel() == nil && clock.pendingCount == 1)
  }

  @Test("what a handler leaves behind is not waited for")
  func settleLeftovers() async {
    let tasks = EventRecorder<Task<Void, any Error>>()
    let tool = Debouncer<Int>(for: .zero, clock: clock) { [clock] value in
      tasks.record(Task { try await clock.sleep(for: .seconds(1)) })
    }
    for value in 1...5 {
      tool.send(value)
      clock.advance(by: .zero)
      await clock.settle()
      #expect(tasks.values.count == value)
    }
    await clock.sleepers(atLeast: 5)
    clock.advance(by: .seconds(1))
    await clock.settle()
    for task in tasks.values { _ = try? await task.value }
  }

  @Test("what waits to be run is released when it has run, and may call the clock")
  func releases() {
    weak var captured: Burden?
    do {
      let burden = Burden("captured") { [clock] in clock.advance(by: .milliseconds(1)) }
      captured = burden
      let tool = Throttler<Int>(every: .seconds(1), clock: clock) { _ in
        withExtendedLifetime(burden) {}
      }
      tool.send(1)
    }
    #expect(captured != nil)
    clock.advance(by: .zero)
    #expect(captured == nil)
    #expect(clock.now == .at(1))
  }

  @Test("two threads can advance it: everything comes once, and none too early")
  func twoThreads() {
    let timers = (0..<200).map { index in
      DispatchTimer.scheduled(after: .milliseconds(index / 2), clock: clock) { [log, clock] in
        log.record("\(index)")
        #expect(clock.now >= .at(index / 2))
      }
    }
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      for _ in 0..<100 { clock.advance(by: .milliseconds(1)) }
    }
    clock.advance(by: .zero)
    #expect(Set(log.values).count == 200 && log.values.count == 200)
    withExtendedLifetime(timers) {}
  }
}
