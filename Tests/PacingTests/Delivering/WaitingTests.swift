import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Waiting for handlers")
struct WaitingTests {
  /// A debouncer whose handler waits at a gate, on a queue of its own.
  private let gate = DispatchSemaphore(value: 0)
  private let clock = ManualClock()
  private let log = EventRecorder<String>()
  private let debouncer: Debouncer<String>

  init() {
    debouncer = Debouncer(
      for: .seconds(1), on: .queue(DispatchQueue(label: "handlers")), clock: clock
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
    // The handler of the first may or may not have begun by then; it is never both.
    #expect(withdrawn == "b")
    #expect(log.values == [] || log.values == ["begins a", "ends a"])
  }

  @Test("a cancel ends the wait for what it withdraws")
  func flushCancelled() async {
    let held = DispatchQueue(label: "held")
    held.suspend()
    let clock = ManualClock()
    let tool = Throttler<Int>(every: .seconds(1), on: .queue(held), clock: clock) { _ in }
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
    let batcher = Batcher<Int>(
      BatchLimit(maximumCount: 2), on: .queue(DispatchQueue(label: "handlers")), clock: clock
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
