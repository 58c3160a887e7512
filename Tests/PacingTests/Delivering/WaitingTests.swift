import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Waiting for handlers")
struct WaitingTests {
  /// Holds up the debouncer's handler, on a queue of its own.
  private let gate = DispatchSemaphore(value: 0)
  private let clock = ManualClock()
  private let log = EventRecorder<String>()
  private let debouncer: Debouncer<String>

  init() {
    debouncer = Debouncer(for: .seconds(1), clock: clock).handle(
      on: .queue(DispatchQueue(label: "handlers"))
    ) { [gate, log] value in
      log.record("begins \(value)")
      gate.wait()
      log.record("ends \(value)")
    }
  }

  @Test("flushAndWait returns when the flushed value's handler has ended")
  func flush() async {
    debouncer.send("a")
    async let flushed = debouncer.flushAndWait()
    gate.signal()
    #expect(await flushed)
    #expect(log.values == ["begins a", "ends a"])
    #expect(await debouncer.flushAndWait() == false)
  }

  @Test("flushAndWait behind a running handler waits for both")
  func flushBehind() async {
    debouncer.send("a")
    debouncer.flush()
    debouncer.send("b")
    async let flushed = debouncer.flushAndWait()
    gate.signal()
    gate.signal()
    #expect(await flushed)
    #expect(log.values.last == "ends b" && !debouncer.isPending)
  }

  @Test("cancelAndWait returns when the running handler has ended, and nothing else begins")
  func cancel() async {
    debouncer.send("a")
    debouncer.flush()
    debouncer.send("b")
    gate.signal()
    let withdrawn = await debouncer.cancelAndWait()
    await clock.settle()
    // The first handler may or may not have started by then, but never both.
    #expect(withdrawn == "b")
    #expect(log.values == [] || log.values == ["begins a", "ends a"])
  }

  enum Kind: CaseIterable {
    case debouncer, throttler, auditor, sampler, batcher, keyed, calls, timer
  }

  /// A tool whose async handler has begun, and what waits for its end.
  private func running(
    _ kind: Kind, isFlush: Bool, handler run: @escaping @Sendable () async -> Void
  ) -> @Sendable () async -> Void {
    func wait(for tool: some ValuePacingTool<Int>) -> @Sendable () async -> Void {
      tool.send(1)
      tool.flush()
      return { if isFlush { await tool.flushAndWait() } else { await tool.cancelAndWait() } }
    }
    let second = Duration.seconds(1)
    switch kind {
    case .debouncer:
      return wait(for: Debouncer(for: second, clock: clock).handle { _ in await run() })
    case .throttler:
      return wait(for: Throttler(every: second, clock: clock).handle { _ in await run() })
    case .auditor: return wait(for: Auditor(for: second, clock: clock).handle { _ in await run() })
    case .sampler:
      return wait(for: Sampler(every: second, clock: clock).handle { _ in await run() })
    case .batcher:
      let tool = Batcher<Int>(BatchLimit(maximumCount: 1), clock: clock).handle { _ in await run() }
      tool.send(1)
      return { if isFlush { await tool.flushAndWait() } else { _ = await tool.cancelAndWait() } }
    case .keyed:
      let tool = KeyedThrottler<Int, Int>(every: second, clock: clock).handle { _, _ in await run()
      }
      tool.send(1, for: 1)
      return { if isFlush { await tool.flushAndWait() } else { await tool.cancelAndWait() } }
    case .calls:
      let tool = AsyncDebouncer<Int, Void>(for: .zero, clock: clock) { _ in await run() }
      Task.eager { try await tool.call(1) }
      return { if isFlush { await tool.flushAndWait() } else { await tool.cancelAndWait() } }
    case .timer:
      let timer = DispatchTimer(.every(second, first: .now), clock: clock).handle { _ in await run()
      }
      timer.start()
      clock.advance(by: .zero)
      // A timer has nothing to flush.
      return { await timer.cancelAndWait() }
    }
  }

  @Test(
    "each tool's waits return when the handler that runs has ended, not before",
    arguments: Kind.allCases, [true, false])
  func everyTool(kind: Kind, isFlush: Bool) async {
    let gate = Gate<Int>()
    let wait = running(kind, isFlush: isFlush) { [log] in
      await gate.pass(1)
      log.record("ended")
    }
    await gate.arrival(1)
    let waiting = Task.eager { [log] in
      await wait()
      log.record("waited")
    }
    #expect(log.values == [], "it has suspended by now")
    gate.open(1)
    await waiting.value
    #expect(log.values == ["ended", "waited"])
  }

  @Test("a cancel ends the wait for what it withdraws")
  func flushCancelled() async {
    let held = DispatchQueue(label: "held")
    held.suspend()
    let clock = ManualClock()
    let tool = Throttler<Int>(every: .seconds(1), clock: clock).handle(on: .queue(held)) { _ in }
    tool.send(1)
    async let flushed: Bool = tool.flushAndWait()
    #expect(tool.cancel() == 1)
    _ = await flushed
    held.resume()
    await clock.settle()
  }

  @Test("a batcher waits for every batch")
  func batches() async {
    let batches = EventRecorder<[Int]>()
    let batcher = Batcher<Int>(BatchLimit(maximumCount: 2), clock: clock).handle(
      on: .queue(DispatchQueue(label: "handlers"))
    ) { batches.record($0) }
    for value in 0..<7 { batcher.send(value) }
    await batcher.flushAndWait()
    #expect(batches.values == [[0, 1], [2, 3], [4, 5], [6]])
    #expect(await batcher.cancelAndWait() == [])
  }

  @Test("a grid of empty batches without a handler holds up no one who waits")
  func emptyBatches() async {
    let batcher = Batcher<Int>(.every(.milliseconds(1), includingEmpty: true), clock: clock)
    clock.lapse(by: .milliseconds(1))
    async let flushed = batcher.flushAndWait()
    clock.advance(by: .milliseconds(1))
    #expect(await flushed == false)
  }

  @Test("waits end although values keep coming", arguments: [Overlap.queue(2), .concurrent(2)])
  func busy(overlap: Overlap) async {
    let home = Slot<Throttler<Int>>()
    let (runs, isOver) = (Counter(), Counter())
    let tool = Throttler<Int>(every: .zero, clock: clock).handle(overlap: overlap) { value in
      // Sends more than it receives, so that the tool is never idle; bounded, to end the test.
      guard isOver.value == 0, runs.add() < 20_000 else { return }
      for next in 1...3 { home.value?.send(value + next) }
      await Task.yield()
    }
    home.put(tool)
    for value in 1...3 { tool.send(value) }
    await tool.flushAndWait()
    let runsOfFlush = runs.value
    await tool.cancelAndWait()
    tool.send(0)
    isOver.add()
    #expect(runsOfFlush < 20_000 && runs.value < 20_000)
    home.put(nil)
    await clock.settle()
  }

  @Test("waits of a keyed tool end although values keep coming")
  func busyKeys() async {
    let home = Slot<KeyedThrottler<Int, Int>>()
    let (runs, isOver) = (Counter(), Counter())
    let tool = KeyedThrottler<Int, Int>(every: .zero, clock: clock).handle { key, value in
      guard isOver.value == 0, runs.add() < 20_000 else { return }
      for next in 1...3 { home.value?.send(value + 1, for: (key + next) % 5) }
      await Task.yield()
    }
    home.put(tool)
    for key in 0..<5 { tool.send(0, for: key) }
    await tool.flushAndWait()
    await tool.cancelAndWait()
    isOver.add()
    #expect(runs.value < 20_000)
    home.put(nil)
    await clock.settle()
  }

  @Test("a stream ends with its tool, also where a kept value would never come")
  func never() async {
    var throttler: Throttler<Int>? = Throttler(every: .seconds(Int64.max), clock: clock)
    let ticks = throttler?.ticks()
    throttler?.send(1)
    throttler?.send(2)
    throttler?.finish()
    throttler = nil
    var values = [Int]()
    if let ticks { for await value in ticks { values.append(value) } }
    #expect(values == [1])
  }
}
