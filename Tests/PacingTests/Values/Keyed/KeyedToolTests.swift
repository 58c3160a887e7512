import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Keyed tools")
struct KeyedToolTests {
  let clock = ManualClock()
  let log = EventRecorder<String>()
  let drops = EventRecorder<String>()

  private func observe(_ tool: some KeyedPacingTool<String, Int>) {
    tool.onDrop { [drops] change, reason in
      drops.record("\(change.key)\(change.value) \(reason)")
    }
  }

  @Test("rxdart#606: a key takes memory while it is in use, and none before or after")
  func keyCount() {
    let debouncer = KeyedDebouncer<Int, Int>(for: .milliseconds(10), clock: clock) { _, _ in }
    let throttler = KeyedThrottler<Int, Int>(every: .milliseconds(10), clock: clock) { _, _ in }
    for key in 0..<1_000 {
      debouncer.send(0, for: key)
      throttler.send(0, for: key)
      clock.advance(by: .milliseconds(1))
      #expect(debouncer.keyCount <= 10 && throttler.keyCount <= 10)
    }
    clock.advance(by: .milliseconds(10))
    #expect(debouncer.keyCount == 0 && throttler.keyCount == 0 && clock.pendingCount == 0)
    debouncer.send(1, for: 1)
    debouncer.cancel(for: 1)
    #expect(debouncer.keyCount == 0 && clock.pendingCount == 0)
  }

  @Test("a tool that takes no more values keeps no key, and no timer, for an open window")
  func finished() {
    let throttler = KeyedThrottler<Int, Int>(every: .seconds(1), clock: clock) { _, _ in }
    for key in 0..<3 { throttler.send(0, for: key) }
    clock.advance(by: .zero)
    throttler.send(1, for: 1)
    throttler.finish()
    #expect(throttler.keyCount == 1)
    clock.advance(by: .seconds(1))
    #expect(throttler.keyCount == 0 && clock.pendingCount == 0)
  }

  @Test("keys of one hash are told apart: objects of several classes, and what may be nil")
  func sameHash() {
    let objects = [Name("a"), Nickname("a"), Name("b"), Nickname("b")]
    let names = KeyedDebouncer<Name, Int>(for: .milliseconds(1), clock: clock) { [log] key, value in
      log.record("\(key.text): \(value)")
    }
    for (value, key) in objects.enumerated() { names.send(value, for: key) }
    let numbers = KeyedDebouncer<Int?, Int>(for: .milliseconds(1), clock: clock) {
      [log] key, value in log.record("\(key.map(String.init) ?? "nil"): \(value)")
    }
    for (value, key) in [nil, 1, nil].enumerated() { numbers.send(value, for: key) }
    #expect(names.keyCount == 2 && numbers.keyCount == 2)
    clock.advance(by: .milliseconds(1))
    #expect(log.values.sorted() == ["1: 1", "a: 1", "b: 3", "nil: 2"])
  }

  @Test("a key runs one handler at a time and in order; another key does not wait for it")
  func slowHandlers() async {
    let gate = Gate<String>()
    let tool = KeyedThrottler<String, Int>(every: .zero, clock: clock).handle { [log] key, value in
      log.record("\(key)\(value) begins")
      await gate.pass("\(key)\(value)")
      log.record("\(key)\(value) ends")
    }
    tool.send(1, for: "a")
    await gate.arrival("a1")
    for value in 2...4 { tool.send(value, for: "a") }
    tool.send(1, for: "b")
    await gate.arrival("b1")
    #expect(tool.pending(for: "a") == 4 && tool.keyCount == 2 && tool.isPending)
    #expect(log.values == ["a1 begins", "b1 begins"])
    gate.open("a1")
    await gate.arrival("a4")
    #expect(tool.pending(for: "a") == nil)
    gate.openAll()
    await clock.settle()
    let ofA = log.values.filter { $0.hasPrefix("a") }
    #expect(ofA == ["a1 begins", "a1 ends", "a4 begins", "a4 ends"])
    #expect(tool.keyCount == 0 && tool.statistics.merged == 2 && tool.statistics.delivered == 3)
  }

  @Test("cancelling a key takes back what is decided and what is pending, of that key alone")
  @MainActor
  func cancelKey() async {
    let tool = KeyedThrottler<String, Int>(every: .milliseconds(10), clock: clock).handle(on: .main)
    {
      [log] key, value in log.record("\(key)\(value)")
    }
    observe(tool)
    for value in 1...2 {
      for key in ["a", "b"] { tool.send(value, for: key) }
    }
    #expect(tool.pending(for: "a") == 2 && tool.statistics.pending == 4)
    #expect(
      tool.cancel(for: "a") == 2 && tool.cancel(for: "a") == nil && tool.cancel(for: "c") == nil)
    clock.runReady()
    #expect(drops.values == ["a1 cancelled", "a2 cancelled"])
    await clock.settle()
    clock.advance(by: .milliseconds(10))
    await clock.settle()
    #expect(log.values == ["b1", "b2"])
    #expect(tool.statistics.delivered == 2 && tool.statistics.dropped(.cancelled) == 2)
    tool.send(3, for: "a")
    tool.send(3, for: "b")
    tool.send(4, for: "b")
    #expect(tool.cancel() == ["a": 3, "b": 4])
    clock.advance(by: .milliseconds(10))
    await clock.settle()
    #expect(log.values.count == 2 && tool.keyCount == 0)
  }

  @Test("flushing a key leaves the others; flushing all delivers each once")
  func flush() async {
    let tool = KeyedDebouncer<String, Int>(for: .seconds(1), clock: clock) { [log] key, value in
      log.record("\(key)\(value)")
    }
    for key in ["a", "b", "c"] { tool.send(1, for: key) }
    #expect(tool.flush(for: "b") && !tool.flush(for: "b") && !tool.flush(for: "d"))
    clock.runReady()
    #expect(log.values == ["b1"] && tool.keyCount == 2)
    #expect(tool.flush() && !tool.flush())
    clock.runReady()
    #expect(Set(log.values) == ["a1", "b1", "c1"] && log.values.count == 3)
    #expect(tool.keyCount == 0 && clock.pendingCount == 0)
  }

  @Test("flushAndWait returns when the handlers of all keys have ended")
  func flushAndWait() async {
    let tool = KeyedDebouncer<Int, Int>(for: .seconds(1), clock: clock).handle { [log] key, _ in
      await Task.yield()
      log.record("\(key)")
    }
    for key in 0..<300 { tool.send(0, for: key) }
    async let flushed = tool.flushAndWait()
    #expect(await flushed)
    #expect(log.values.count == 300 && tool.keyCount == 0)
  }

  @Test("finish delivers by each tool's own rule, or discards and says so; then the stream ends")
  func finish() async {
    for isDiscarding in [false, true] {
      _ = drops.takeAll()
      let tool = KeyedThrottler<String, Int>(every: .milliseconds(10), clock: clock)
      observe(tool)
      var ticks = tool.ticks().makeAsyncIterator()
      for value in 1...2 { tool.send(value, for: "a") }
      tool.send(1, for: "b")
      tool.finish(isDiscarding ? .discard : nil)
      tool.finish()
      tool.send(3, for: "c")
      clock.runReady()
      #expect(drops.values == (isDiscarding ? ["a2 finished"] : []) + ["c3 finished"])
      #expect(await ticks.next().map { "\($0.key)\($0.value)" } == "a1")
      #expect(await ticks.next().map { "\($0.key)\($0.value)" } == "b1")
      clock.advance(by: .milliseconds(10))
      if !isDiscarding { #expect(await ticks.next().map { "\($0.key)\($0.value)" } == "a2") }
      #expect(await ticks.next() == nil)
      clock.advance(by: .milliseconds(10))
      #expect(tool.keyCount == 0 && clock.pendingCount == 0)
    }
  }

  @Test("a stream keeps the newest value of each key, in the place of the key's first")
  func stream() async {
    let tool = KeyedThrottler<String, Int>(every: .zero, clock: clock)
    var ticks = tool.ticks().makeAsyncIterator()
    for (key, value) in [("a", 1), ("b", 1), ("a", 2), ("c", 1), ("b", 2)] {
      tool.send(value, for: key)
    }
    #expect(tool.cancel(for: "c") == 1, "it has not been taken")
    tool.finish()
    var taken = [String]()
    while let element = await ticks.next() { taken.append("\(element.key)\(element.value)") }
    #expect(taken == ["a2", "b2"])
    let lonely = KeyedDebouncer<String, Int>(for: .zero, clock: clock)
    observe(lonely)
    lonely.send(1, for: "x")
    clock.runReady()
    #expect(drops.values.last == "x1 noConsumer" && lonely.keyCount == 0)
  }

  @Test("cancelling a key of which nothing waits in a stream leaves the others their places")
  func cancelledStrangers() async {
    let tool = KeyedThrottler<String, Int>(every: .zero, clock: clock)
    var ticks = tool.ticks().makeAsyncIterator()
    for key in ["a", "b", "c", "d"] { tool.send(1, for: key) }
    #expect(await ticks.next().map { "\($0.key)\($0.value)" } == "a1")
    #expect(tool.cancel(for: "a") == nil)
    tool.send(2, for: "b")
    #expect(await ticks.next().map { "\($0.key)\($0.value)" } == "b2")
    #expect(await ticks.next().map { "\($0.key)\($0.value)" } == "c1")
    #expect(await ticks.next().map { "\($0.key)\($0.value)" } == "d1")
  }

  @Test("dropping the tool drops what is pending, and says so; what is decided runs")
  @MainActor
  func deinitialized() async {
    do {
      let tool = KeyedThrottler<String, Int>(every: .milliseconds(10), clock: clock).handle(
        on: .main
      ) {
        [log] key, value in log.record("\(key)\(value)")
      }
      observe(tool)
      for value in 1...2 { tool.send(value, for: "a") }
      tool.send(1, for: "b")
    }
    await clock.settle()
    clock.advance(by: .seconds(1))
    await clock.settle()
    #expect(log.values == ["a1", "b1"] && drops.values == ["a2 deinitialized"])
    #expect(clock.pendingCount == 0)
  }

  @Test("limits: one more key is dropped, or makes the earliest due be delivered")
  func limits() {
    let drop = KeyedDebouncer<String, Int>(
      for: .milliseconds(10), maximumKeys: 2, clock: clock
    ) { [log] key, value in log.record("\(key)\(value)") }
    observe(drop)
    for key in ["a", "b", "c", "a"] { drop.send(1, for: key) }
    clock.advance(by: .milliseconds(10))
    #expect(drops.values == ["c1 overflow"] && log.takeAll() == ["b1", "a1"])
    let flush = KeyedDebouncer<String, Int>(
      for: .milliseconds(10), maximumKeys: 2, whenFull: .makeRoom,
      clock: clock
    ) { [log] key, value in log.record("\(key)\(value)") }
    for key in ["a", "b", "a", "c"] {
      flush.send(1, for: key)
      clock.lapse(by: .milliseconds(1))
    }
    clock.runReady()
    #expect(log.values == ["b1"] && flush.keyCount == 2)
  }

  @Test("a limit that flushes bounds what is on its way to a handler too")
  func limitBehindHandler() async {
    let queue = DispatchQueue(label: "held")
    queue.suspend()
    let tool = KeyedDebouncer<Int, Int>(
      for: .seconds(1), maximumKeys: 100, whenFull: .makeRoom, clock: clock
    ).handle(on: .queue(queue)) { [log] key, _ in log.record("\(key)") }
    let full = Counter()
    tool.onDrop { _, reason in if reason == .full { full.add() } }
    for key in 0..<10_000 { tool.send(key, for: key) }
    #expect(tool.keyCount == 200 && tool.statistics.dropped(.full) == 9_800)
    tool.send(-1, for: 0)
    tool.send(-1, for: 199)
    #expect(tool.keyCount == 200 && tool.pending(for: 0) == -1 && tool.pending(for: 199) == -1)
    queue.resume()
    await clock.settle()
    clock.advance(by: .seconds(1))
    await clock.settle()
    #expect(tool.keyCount == 0 && log.values.count == 201 && full.value == 9_800)
  }
}

extension KeyedToolTests {
  @Test("a key whose delivery has ended keeps its window, however many run")
  func windowBesideRuns() async {
    let gate = Gate<String>()
    let tool = KeyedThrottler<String, Int>(
      every: .milliseconds(100), maximumKeys: 1, whenFull: .makeRoom,
      clock: clock
    ).handle { [log, clock] key, value in
      log.record("\(key)\(value) at \(clock.now.milliseconds)")
      if key == "a" { await gate.pass(key) }
    }
    tool.send(1, for: "a")
    await gate.arrival("a")
    tool.send(1, for: "b")
    while tool.statistics.pending > 0 || log.values.count < 2 { await Task.yield() }
    clock.advance(by: .milliseconds(10))
    tool.send(2, for: "b")
    #expect(tool.pending(for: "b") == 2 && log.values == ["a1 at 0", "b1 at 0"])
    gate.openAll()
    await clock.settle()
    clock.advance(by: .milliseconds(90))
    await clock.settle()
    #expect(log.values.last == "b2 at 100")
  }

  @Test("a call that has nothing to flush or cancel leaves a key its window", arguments: [0, 1])
  func windowBesideCalls(verb: Int) async {
    let gate = Gate<String>()
    let tool = KeyedThrottler<String, Int>(
      every: .milliseconds(100), maximumKeys: 1, whenFull: .makeRoom,
      clock: clock
    ).handle { key, _ in
      if key == "a" { await gate.pass(key) }
    }
    tool.send(1, for: "a")
    await gate.arrival("a")
    tool.send(2, for: "a")
    tool.send(1, for: "b")
    while tool.statistics.pending > 1 { await Task.yield() }
    gate.openAll()
    await clock.settle()
    if verb == 0 { #expect(!tool.flush(for: "b")) } else { #expect(tool.cancel(for: "b") == nil) }
    clock.advance(by: .milliseconds(10))
    tool.send(2, for: "b")
    #expect(tool.pending(for: "b") == 2)
  }

  @Test("a key makes room only for those that wait as it does, and not for those that run")
  func roomBesideRuns() async {
    let gate = Gate<String>()
    let tool = KeyedDebouncer<String, Int>(
      for: .seconds(1), maximumKeys: 2, whenFull: .makeRoom, clock: clock
    ).handle { key, _ in
      await gate.pass(key)
    }
    tool.send(1, for: "a")
    tool.flush(for: "a")
    await gate.arrival("a")
    tool.send(1, for: "b")
    tool.send(1, for: "c")
    #expect(tool.pending(for: "b") == 1 && tool.statistics.pending == 2)
    tool.send(1, for: "d")
    await gate.arrival("b")
    #expect(tool.pending(for: "c") == 1 && tool.pending(for: "d") == 1 && tool.keyCount == 4)
    tool.send(1, for: "e")
    #expect(tool.statistics.dropped(.full) == 1)
    gate.openAll()
    tool.flush()
    await clock.settle()
    #expect(tool.keyCount == 0)
  }

  @Test(
    "keys that fall due at one instant keep the order in which they came, though some have gone")
  func order() {
    let tool = KeyedDebouncer<String, Int>(for: .seconds(1), clock: clock)
    observe(tool)
    // So many that no hash puts them into this order by chance.
    let keys = (0..<40).map { "key \($0): " }
    for key in keys { tool.send(1, for: key) }
    tool.cancel(for: keys[0])
    tool.finish(.discard)
    clock.runReady()
    #expect(
      drops.values == ["\(keys[0])1 cancelled"] + keys.dropFirst().map { "\($0)1 finished" })
  }

  @Test("a key that made room and has a new value by then keeps its window again")
  func windowAfterRoom() async {
    let gate = Gate<String>()
    let tool = KeyedThrottler<String, Int>(
      every: .milliseconds(100), edges: .trailing, maximumKeys: 1, whenFull: .makeRoom, clock: clock
    ).handle { key, value in
      if value == 1 { await gate.pass(key) }
    }
    tool.send(1, for: "a")
    tool.send(1, for: "b")
    await gate.arrival("a")
    #expect(tool.pending(for: "a") == nil)
    tool.send(2, for: "a")
    tool.cancel(for: "b")
    gate.openAll()
    await clock.settle()
    clock.advance(by: .milliseconds(100))
    await clock.settle()
    #expect(tool.statistics.delivered == 2 && tool.keyCount == 1)
    clock.advance(by: .milliseconds(100))
    #expect(tool.keyCount == 0)
  }

  @Test("a key that fell due while its tool was suspended is delivered at resume, and no other is")
  func resumed() {
    let tool = KeyedDebouncer<String, Int>(for: .seconds(1), clock: clock)
      .handle { [log] key, _ in log.record(key) }
    tool.send(1, for: "late", waiting: .milliseconds(100))
    tool.send(1, for: "due", waiting: .milliseconds(10))
    tool.suspend()
    clock.advance(by: .milliseconds(20))
    #expect(log.values.isEmpty)
    tool.resume()
    clock.runReady()
    #expect(log.values == ["due"])
    clock.advance(by: .milliseconds(80))
    #expect(log.values == ["due", "late"])
  }

  @Test("a key that was overdue in a suspension leaves no timer behind")
  func noTimerBehind() {
    let debouncer = KeyedDebouncer<String, Int>(for: .milliseconds(10), clock: clock)
    debouncer.send(1, for: "a")
    debouncer.suspend()
    clock.advance(by: .milliseconds(10))
    for value in 2...4 { debouncer.send(value, for: "a") }
    #expect(debouncer.cancel(for: "a") == 4)
    #expect(debouncer.keyCount == 0 && clock.pendingCount == 0)
    let throttler = KeyedThrottler<String, Int>(every: .milliseconds(10), clock: clock)
      .handle { [log] key, value in log.record("\(key)\(value)") }
    throttler.suspend()
    throttler.send(1, for: "a")
    clock.runReady()
    throttler.resume()
    clock.runReady()
    throttler.send(2, for: "a")
    throttler.finish(.discard)
    #expect(log.values == ["a1"])
    #expect(throttler.keyCount == 0 && clock.pendingCount == 0)
  }

  @Test("flushAndWait also waits for what a running handler of its key holds up")
  func flushBehindHandler() async {
    let gate = Gate<Int>()
    let tool = KeyedDebouncer<String, Int>(for: .seconds(1), clock: clock).handle { _, value in
      await gate.pass(value)
    }
    tool.send(1, for: "a")
    tool.flush()
    await gate.arrival(1)
    tool.send(2, for: "a")
    let flushed = Counter()
    let wait = Task.eager {
      await tool.flushAndWait()
      flushed.add()
    }
    gate.open(1)
    await gate.arrival(2)
    #expect(flushed.value == 0)
    gate.openAll()
    await wait.value
    #expect(flushed.value == 1)
  }
}

/// Equal by text, regardless of class; all have the same hash.
///
/// The actor lets the class be Sendable without being final.
@MainActor
private class Name: Hashable {
  nonisolated let text: String

  nonisolated init(_ text: String) {
    self.text = text
  }

  nonisolated static func == (lhs: Name, rhs: Name) -> Bool { lhs.text == rhs.text }

  nonisolated func hash(into hasher: inout Hasher) {}
}

private final class Nickname: Name {}
