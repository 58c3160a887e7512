import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Async handlers")
struct AsyncHandlerTests {
  let clock = ManualClock()
  let gate = Gate<Int>()
  let log = EventRecorder<String>()

  /// An actor that can be kept busy, and owns a tool.
  actor Owner {
    var tool: Debouncer<Int>?
    let log: EventRecorder<String>
    let burden: Burden?

    init(_ log: EventRecorder<String>, burden: Burden? = nil) {
      self.log = log
      self.burden = burden
    }

    func setUp(_ clock: ManualClock, wait: Duration = .seconds(1)) -> Debouncer<Int> {
      let tool = Debouncer<Int>(for: wait, clock: clock).handle(in: self) { owner, value in
        await owner.take(value)
      }
      self.tool = tool
      return tool
    }

    func take(_ value: Int) async { log.record("\(value)") }

    /// Lets the tool decide while the actor is busy, so that nothing can start.
    func whileBusy(_ body: @Sendable (Debouncer<Int>) -> Void) {
      if let tool { body(tool) }
    }
  }

  @Test("an actor's handler runs on it; a value cancelled while the actor is busy never does")
  func busyActor() async {
    let owner = Owner(log)
    _ = await owner.setUp(clock)
    await owner.whileBusy { tool in
      tool.send(1)
      tool.flush()
      #expect(tool.isPending && tool.cancel() == 1)
      tool.send(2)
      tool.flush()
    }
    await clock.settle()
    #expect(log.values == ["2"])
  }

  @Test("a value cancelled while the main actor is busy never runs, for a handler or an operation")
  @MainActor
  func busyMain() async throws {
    let debouncer = Debouncer<Int>(for: .seconds(1), clock: clock).handle(on: .main) {
      [log] value in
      await Task.yield()
      log.record("\(value)")
    }
    debouncer.send(1)
    debouncer.flush()
    #expect(debouncer.cancel() == 1)
    debouncer.send(2)
    debouncer.flush()
    await clock.settle()
    #expect(log.values == ["2"])
  }

  @Test("the tool does not keep its actor; without it a value has no consumer")
  func actorGone() async {
    let reasons = EventRecorder<String>()
    var tool: Debouncer<Int>?
    weak var gone: Owner?
    do {
      let owner = Owner(log)
      gone = owner
      tool = Debouncer<Int>(for: .seconds(1), clock: clock).handle(in: owner) { owner, value in
        await owner.take(value)
      }
      tool?.onDrop { value, reason in reasons.record("\(value) \(reason)") }
      tool?.send(1)
      clock.advance(by: .seconds(1))
      await clock.settle()
      await owner.take(0)
    }
    #expect(gone == nil && log.values == ["1", "0"])
    for value in 2...3 {
      tool?.send(value)
      clock.advance(by: .seconds(1))
      await clock.settle()
      clock.runReady()
    }
    #expect(reasons.values == ["2 noConsumer", "3 noConsumer"])
    #expect(tool?.statistics.dropped(.noConsumer) == 2 && tool?.isPending == false)
    // A stream is a consumer, too.
    var ticks = tool!.ticks().makeAsyncIterator()
    tool?.send(4)
    clock.advance(by: .seconds(1))
    #expect(await ticks.next() == 4)
    #expect(await tool!.flushAndWait() == false)
  }

  @Test("an actor that holds its tool goes with it, also while the handler runs")
  func actorAndTool() async {
    let released = CountDown(1)
    do {
      let owner = Owner(log, burden: Burden("owner") { released.arrive() })
      let tool = await owner.setUp(clock)
      tool.send(1)
      clock.advance(by: .seconds(1))
      tool.send(2)
    }
    await released.wait()
    await clock.settle()
    #expect(clock.pendingCount == 0)
    #expect(log.values == ["1"] || log.values == [])
  }

  @Test("values that an async handler sends come after the one that is delivered")
  func sendInside() async {
    let slot = Slot<Debouncer<Int>>()
    let tool = Debouncer<Int>(for: .zero, clock: clock).handle { [log] value in
      log.record("\(value) begins")
      if value < 3 { slot.value?.send(value + 1) }
      await Task.yield()
      log.record("\(value) ends")
    }
    slot.put(tool)
    tool.send(1)
    await clock.settle()
    slot.put(nil)
    #expect(log.values == [1, 2, 3].flatMap { ["\($0) begins", "\($0) ends"] })
  }

  @Test("flushAndWait returns when the async handlers of what was due have ended, not before")
  func flushAndWait() async {
    let tool = Debouncer<Int>(for: .seconds(1), clock: clock).handle { [log, gate] value in
      await gate.pass(value)
      log.record("\(value)")
    }
    tool.send(1)
    tool.flush()
    tool.send(2)
    let waiting = Task { [log] in
      let flushed = await tool.flushAndWait()
      log.record("waited")
      return flushed
    }
    await gate.arrival(1)
    // The task may be late; it then finds nothing to flush but still waits.
    gate.open(1)
    gate.open(2)
    if await !waiting.value { #expect(tool.pending == nil) }
    #expect(log.values.last == "waited" && log.values.first == "1")
  }

  @Test("cancelAndWait returns when the run that had begun has ended; nothing begins after it")
  func cancelAndWait() async {
    let tool = Debouncer<Int>(for: .seconds(1), clock: clock).handle { [log, gate] value in
      await gate.pass(value)
      log.record("\(value)")
    }
    tool.send(1)
    tool.flush()
    await gate.arrival(1)
    tool.send(2)
    tool.flush()
    async let withdrawn = tool.cancelAndWait()
    gate.openAll()
    let value = await withdrawn
    #expect(log.values.first == "1")
    #expect(value == 2 || log.values == ["1", "2"])
    #expect(!tool.isPending)
  }

  @Test("a tool that goes while a run never ends lets go of all but that run's own")
  func neverEnding() async {
    let released = EventRecorder<String>()
    do {
      let burden = Burden("captured") { released.record("captured") }
      let tool = Debouncer<Burden>(for: .zero, clock: clock).handle { [gate] _ in
        await gate.pass(1)
        withExtendedLifetime(burden) {}
      }
      tool.send(Burden("running") { released.record("running") })
      await gate.arrival(1)
      tool.send(Burden("pending") { released.record("pending") })
    }
    clock.runReady()
    #expect(released.values == ["pending"] && clock.pendingCount == 0)
    gate.openAll()
    await clock.settle()
    #expect(Set(released.values) == ["pending", "running", "captured"])
  }

  @Test("the last reference to a tool can go inside its async handler; what was pending is dropped")
  func dropInside() async {
    let slot = Slot<Debouncer<Int>>()
    let drops = EventRecorder<String>()
    let released = EventRecorder<String>()
    do {
      let burden = Burden("captured") { released.record("captured") }
      let tool = Debouncer<Int>(for: .zero, clock: clock) { [log] value in
        log.record("\(value)")
        slot.value?.send(2)
        slot.put(nil)
        withExtendedLifetime(burden) {}
      }
      tool.onDrop { value, reason in drops.record("\(value) \(reason)") }
      slot.put(tool)
    }
    slot.value?.send(1)
    await clock.settle()
    clock.runReady()
    #expect(log.values == ["1"] && drops.values == ["2 deinitialized"])
    #expect(released.values == ["captured"] && clock.pendingCount == 0)
  }

  @Test("finish while one runs: what is pending still runs, then the handler is let go")
  func finishWhileRunning() async {
    let released = EventRecorder<String>()
    let tool: Debouncer<Int>
    do {
      let burden = Burden("captured") { released.record("captured") }
      tool = Debouncer<Int>(for: .seconds(1), clock: clock).handle { [gate, log] value in
        await gate.pass(value)
        withExtendedLifetime(burden) { log.record("\(value)") }
      }
    }
    var ticks = tool.ticks().makeAsyncIterator()
    tool.send(1)
    tool.flush()
    await gate.arrival(1)
    #expect(await ticks.next() == 1)
    tool.send(2)
    tool.finish()
    tool.finish()
    tool.send(3)
    #expect(tool.statistics.dropped(.finished) == 1 && tool.pending == 2)
    gate.openAll()
    await clock.settle()
    #expect(log.values == ["1", "2"])
    #expect(released.values == ["captured"])
    while await ticks.next() != nil {}
  }

  @Test("a batcher on a grid of empty batches that is dropped leaves nothing behind")
  func gridDropped() async {
    for isRunning in [false, true] {
      let released = EventRecorder<String>()
      do {
        let burden = Burden("captured") { released.record("captured") }
        let batcher = Batcher<Int>(
          .every(.seconds(1), includingEmpty: true), clock: clock
        ) { _ in withExtendedLifetime(burden) {} }
        if isRunning { clock.advance(by: .seconds(2)) }
        batcher.send(1)
      }
      clock.runReady()
      #expect(clock.pendingCount == 0)
      #expect(released.values == ["captured"])
    }
  }
}
