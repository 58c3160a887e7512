import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("What is kept, and settings that change")
struct KeepTests {
  let clock = ManualClock()
  let log = EventRecorder<String>()

  private func note<Value: Sendable>() -> @Sendable (Value) -> Void {
    { [log, clock] value in log.record("\(value)@\(clock.now.milliseconds)") }
  }

  @Test("reducing makes one value of all that come while one is pending")
  func reducing() {
    let tool = Throttler<Int>(
      every: .milliseconds(100), keeping: .reducing(+), clock: clock, handler: note())
    for value in 1...4 { tool.send(value) }
    #expect(tool.pending == 9)
    clock.advance(by: .milliseconds(100))
    tool.send(5)
    tool.send(6)
    #expect(tool.cancel() == 11)
    tool.send(7)
    clock.advance(by: .milliseconds(100))
    #expect(log.values == ["1@0", "9@100", "7@200"])
    #expect(tool.statistics.merged == 3 && tool.statistics.dropped(.cancelled) == 1)
  }

  @Test("the closure that reduces may use the tool: what it changes counts, and it is asked again")
  func reducingInside() {
    let slot = Slot<Debouncer<String>>()
    let isFirst = Slot(true)
    let tool = Debouncer<String>(
      for: .milliseconds(100),
      keeping: .reducing { older, newer in
        if isFirst.put(false) == true { slot.value?.flush() }
        return older + newer
      }, clock: clock, handler: note())
    slot.put(tool)
    for value in ["a", "b", "c"] { tool.send(value) }
    clock.advance(by: .milliseconds(100))
    slot.put(nil)
    #expect(log.values == ["a@0", "bc@100"], "a was on its way when b was to be added to it")
    #expect(tool.statistics.delivered == 2 && tool.statistics.merged == 1)
  }

  @Test("a value that is dropped is reported as it was sent, not as what it would have become")
  func reducingDropped() {
    let drops = EventRecorder<String>()
    let tool = Throttler<Int>(
      every: .milliseconds(100), keeping: .reducing(+), clock: clock, handler: note())
    tool.onDrop { value, reason in drops.record("\(value) \(reason)") }
    tool.send(1)
    tool.send(2)
    tool.finish()
    tool.send(40)
    clock.advance(by: .milliseconds(100))
    #expect(log.values == ["1@0", "2@100"])
    #expect(drops.values == ["40 finished"])
  }

  @Test("a value brings its own quiet period, by the rule or by the call")
  func varyingDebounce() {
    let tool = Debouncer<Int>(
      for: .milliseconds(100), varying: { $0 > 9 ? .milliseconds($0) : nil }, clock: clock,
      handler: note())
    tool.send(1)
    clock.advance(by: .milliseconds(100))
    tool.send(30)
    clock.advance(by: .milliseconds(30))
    tool.send(50, waiting: .milliseconds(5))
    clock.advance(by: .milliseconds(5))
    #expect(log.values == ["1@100", "30@130", "50@135"])
    tool.send(200)
    tool.send(1, waiting: .zero)
    clock.advance(by: .zero)
    #expect(log.values.last == "1@135")
  }

  @Test("a value brings the window that it opens, by the rule or by the call")
  func varyingThrottle() {
    let tool = Throttler<Int>(
      every: .milliseconds(100), varying: { $0 > 9 ? .milliseconds($0) : nil }, clock: clock,
      handler: note())
    tool.send(30)
    tool.send(1)
    clock.advance(by: .milliseconds(30))
    tool.send(2, every: .milliseconds(10))
    clock.advance(by: .milliseconds(100))
    tool.send(3)
    clock.advance(by: .milliseconds(10))
    #expect(log.values == ["30@0", "1@30", "2@130", "3@140"])
  }

  @Test("new settings count from the next value; what is pending keeps its time")
  func changing() {
    let debouncer = Debouncer<Int>(for: .milliseconds(100), clock: clock, handler: note())
    debouncer.send(1)
    debouncer.wait = .milliseconds(10)
    #expect(debouncer.timeRemaining == .milliseconds(100))
    debouncer.send(2)
    #expect(debouncer.timeRemaining == .milliseconds(10) && debouncer.wait == .milliseconds(10))
    clock.advance(by: .milliseconds(10))
    debouncer.edges = .leading
    debouncer.send(3)
    debouncer.send(4)
    clock.advance(by: .milliseconds(10))
    debouncer.edges = .trailing
    debouncer.maximumWait = .milliseconds(15)
    #expect(debouncer.maximumWait == .milliseconds(15))
    for value in 5...7 {
      debouncer.send(value)
      clock.advance(by: .milliseconds(6))
    }
    #expect(log.values == ["2@10", "3@10", "7@35"])
    debouncer.maximumWait = nil
    #expect(debouncer.maximumWait == nil)
  }

  @Test("a new interval, window or period counts from the next value")
  func changingOthers() {
    let throttler = Throttler<Int>(every: .milliseconds(100), clock: clock, handler: note())
    throttler.send(1)
    throttler.interval = .milliseconds(10)
    throttler.send(2)
    clock.advance(by: .milliseconds(100))
    throttler.send(3)
    clock.advance(by: .milliseconds(10))
    throttler.edges = .leading
    throttler.send(4)
    #expect(log.takeAll() == ["1@0", "2@100", "3@110"] && throttler.edges == .leading)
    let auditor = Auditor<Int>(for: .milliseconds(100), clock: clock, handler: note())
    auditor.send(5)
    auditor.window = .milliseconds(10)
    clock.advance(by: .milliseconds(100))
    auditor.send(6)
    clock.advance(by: .milliseconds(10))
    #expect(log.takeAll() == ["5@210", "6@220"] && auditor.window == .milliseconds(10))
  }
}
