import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Keyed tools: what is kept, and settings that change")
struct KeyedSettingsTests {
  let clock = ManualClock()
  let log = EventRecorder<String>()
  let drops = EventRecorder<String>()

  private func note<Value: Sendable>() -> @Sendable (String, Value) -> Void {
    { [log, clock] key, value in log.record("\(key)\(value)@\(clock.now.milliseconds)") }
  }

  @Test("each key keeps its latest value, its first, or one made of all")
  func keeping() {
    for (keep, expected) in [(Keep<Int>.latest, 2), (.first, 4), (.reducing(+), 9)] {
      let start = clock.now.milliseconds
      let tool = KeyedDebouncer<String, Int>(
        for: .milliseconds(10), keeping: keep, clock: clock, handler: note())
      for value in [4, 3, 2] { tool.send(value, for: "a") }
      tool.send(7, for: "b")
      #expect(tool.pending(for: "a") == expected && tool.pending(for: "b") == 7)
      clock.advance(by: .milliseconds(10))
      #expect(Set(log.takeAll()) == ["a\(expected)@\(start + 10)", "b7@\(start + 10)"])
      #expect(tool.statistics.merged == 2 && tool.statistics.delivered == 2 && tool.keyCount == 0)
    }
  }

  @Test("a throttler reduces what comes inside the window of a key, and not what opened it")
  func reducingThrottle() {
    let tool = KeyedThrottler<String, Int>(
      every: .milliseconds(10), keeping: .reducing(+), clock: clock, handler: note())
    for value in 1...4 {
      for key in ["a", "b"] { tool.send(value, for: key) }
      clock.runReady()
    }
    #expect(tool.pending(for: "a") == 9)
    tool.cancel(for: "b")
    clock.advance(by: .milliseconds(10))
    tool.finish()
    tool.send(40, for: "a")
    #expect(log.values.sorted() == ["a1@0", "a9@10", "b1@0"])
  }

  @Test("the closure that reduces may use the tool: what it changes counts, and it is asked again")
  func reducingInside() {
    let slot = Slot<KeyedDebouncer<String, String>>()
    let isFirst = Slot(true)
    let tool = KeyedDebouncer<String, String>(
      for: .milliseconds(10),
      keeping: .reducing { older, newer in
        if isFirst.put(false) == true {
          slot.value?.flush(for: "a")
          slot.value?.send("z", for: "b")
        }
        return older + newer
      }, clock: clock, handler: note())
    slot.put(tool)
    for value in ["a", "b", "c"] { tool.send(value, for: "a") }
    clock.advance(by: .milliseconds(10))
    slot.put(nil)
    #expect(log.values.first == "aa@0", "it was on its way when b was to be added to it")
    #expect(Set(log.values) == ["aa@0", "abc@10", "bz@10"])
  }

  @Test("a value brings its own quiet period, by the rule, which knows the key, or by the call")
  func varyingDebounce() {
    let tool = KeyedDebouncer<String, Int>(
      for: .milliseconds(100),
      varying: { key, value in key == "slow" ? .milliseconds(value * 100) : nil }, clock: clock,
      handler: note())
    tool.send(1, for: "a")
    tool.send(2, for: "slow")
    tool.send(3, for: "b", waiting: .milliseconds(5))
    #expect(
      tool.timeRemaining(for: "slow") == .milliseconds(200) && tool.timeRemaining(for: "c") == nil)
    clock.advance(by: .milliseconds(200))
    #expect(log.values == ["b3@5", "a1@100", "slow2@200"])
    #expect(tool.timeRemaining(for: "slow") == nil)
  }

  @Test("a value brings the window that it opens, by the rule, which knows the key, or by the call")
  func varyingThrottle() {
    let tool = KeyedThrottler<String, Int>(
      every: .milliseconds(100),
      varying: { key, _ in key == "fast" ? .milliseconds(10) : nil }, clock: clock,
      handler: note())
    for value in 1...2 {
      for key in ["a", "fast"] { tool.send(value, for: key) }
    }
    tool.send(1, for: "b", every: .milliseconds(50))
    tool.send(2, for: "b")
    clock.advance(by: .seconds(1))
    #expect(
      log.values == ["a1@0", "fast1@0", "b1@0", "fast2@10", "b2@50", "a2@100"])
  }

  @Test("new settings count from the next value of any key; what is pending keeps its time")
  func changing() {
    let tool = KeyedDebouncer<String, Int>(
      for: .milliseconds(100), clock: clock, handler: note())
    tool.send(1, for: "a")
    tool.wait = .milliseconds(10)
    tool.send(1, for: "b")
    #expect(tool.wait == .milliseconds(10) && tool.timeRemaining(for: "a") == .milliseconds(100))
    clock.advance(by: .milliseconds(10))
    tool.edges = .both
    tool.send(2, for: "a")
    tool.send(2, for: "b")
    clock.advance(by: .zero)
    #expect(log.takeAll() == ["b1@10", "b2@10"] && tool.edges == .both, "a was pending already")
    clock.advance(by: .milliseconds(10))
    #expect(log.takeAll() == ["a2@20"])
    tool.edges = .trailing
    tool.maximumWait = .milliseconds(15)
    for value in 3...5 {
      tool.send(value, for: "a")
      clock.advance(by: .milliseconds(6))
    }
    #expect(log.values == ["a5@35"] && tool.maximumWait == .milliseconds(15))
    let throttler = KeyedThrottler<String, Int>(
      every: .milliseconds(100), clock: clock, handler: note())
    throttler.interval = .milliseconds(10)
    throttler.edges = .leading
    for value in 1...2 { throttler.send(value, for: "t") }
    #expect(throttler.interval == .milliseconds(10) && throttler.edges == .leading)
    #expect(throttler.statistics.dropped(.edge) == 1)
    throttler.edges = .both
    throttler.send(3, for: "t")
    #expect(throttler.pending(for: "t") == 3, "in a window that was open already")
  }

  @Test("reset closes the window of a key, or of all, and gives back what was kept")
  func reset() {
    let tool = KeyedThrottler<String, Int>(every: .seconds(1), clock: clock, handler: note())
    for value in 1...2 {
      for key in ["a", "b"] { tool.send(value, for: key) }
      clock.runReady()
    }
    #expect(tool.reset(for: "a") == 2 && tool.reset(for: "a") == nil && tool.keyCount == 1)
    tool.send(3, for: "a")
    tool.send(4, for: "a")
    clock.runReady()
    #expect(tool.reset() == ["a": 4, "b": 2] && tool.keyCount == 0 && clock.pendingCount == 0)
    tool.send(5, for: "b")
    clock.runReady()
    #expect(log.values == ["a1@0", "b1@0", "a3@0", "b5@0"])
  }

  @Test("cancelAndWait returns when no handler of any key runs, and nothing else begins")
  func cancelAndWait() async {
    let gate = Gate<Int>()
    let tool = KeyedThrottler<String, Int>(every: .zero, clock: clock).handle { [log] key, value in
      log.record("\(key)\(value)")
      await gate.pass(value)
    }
    tool.send(1, for: "a")
    await gate.arrival(1)
    tool.send(2, for: "a")
    tool.send(3, for: "b")
    let cancelled = Task.eager { await tool.cancelAndWait() }
    gate.openAll()
    let withdrawn = await cancelled.value
    #expect(withdrawn["a"] == 2 && tool.keyCount == 0 && !tool.isPending)
    await clock.settle()
    #expect(!log.values.contains("a2"))
  }

  @Test("what waits is told by key")
  func pending() {
    let tool = KeyedDebouncer<String, Int>(
      for: .milliseconds(10), clock: clock, handler: note())
    #expect(tool.pending.isEmpty && tool.pending(for: "a") == nil)
    for (key, value) in [("a", 1), ("b", 2), ("a", 3)] { tool.send(value, for: key) }
    #expect(tool.pending == ["a": 3, "b": 2])
    clock.advance(by: .milliseconds(10))
    #expect(tool.pending.isEmpty)
  }
}
