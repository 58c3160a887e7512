import Pacing
import PacingTesting
import TestSupport
import Testing

/// The effect of disabling and suspending a tool on the pending value.
@Suite("Disabling and suspending")
struct SteeringTests {
  let clock = ManualClock()
  let log = EventRecorder<String>()
  let drops = EventRecorder<String>()

  private func note() -> @Sendable (String) -> Void {
    { [log, clock] value in log.record("\(value)@\(clock.now.milliseconds)") }
  }

  private func debouncer(
    edges: Edges = .trailing, maximumWait: Duration? = nil
  ) -> Debouncer<String> {
    let tool = Debouncer<String>(
      for: .milliseconds(100), edges: edges, maximumWait: maximumWait, clock: clock,
      handler: note())
    tool.onDrop { [drops] value, reason in drops.record("\(value) \(reason)") }
    return tool
  }

  private func throttler(edges: Edges = .both) -> Throttler<String> {
    let tool = Throttler<String>(
      every: .milliseconds(100), edges: edges, clock: clock, handler: note())
    tool.onDrop { [drops] value, reason in drops.record("\(value) \(reason)") }
    return tool
  }

  private func at(_ time: Int, isLate: Bool = false) {
    let span = Duration.milliseconds(time - clock.now.milliseconds)
    if isLate { clock.lapse(by: span) } else { clock.advance(by: span) }
  }

  // MARK: Suspending

  @Test("values are taken and merged; what is overdue is delivered once, by resume")
  func suspend() {
    let tool = debouncer()
    tool.send("a")
    at(50)
    tool.suspend()
    #expect(tool.isSuspended && clock.pendingCount == 0)
    at(52)
    tool.send("b")
    at(300)
    #expect(tool.pending == "b" && tool.timeRemaining == .zero)
    tool.resume()
    clock.runReady()
    at(1000)
    #expect(log.values == ["b@300"] && !tool.isSuspended && tool.statistics.merged == 1)
  }

  @Test("resumed before the deadline, nothing has changed")
  func resumeEarly() {
    let tool = debouncer()
    tool.send("a")
    tool.suspend()
    at(50)
    tool.resume()
    at(1000)
    #expect(log.values == ["a@100"])
  }

  @Test("a value that would lead is kept too", arguments: [Edges.leading, .both])
  func suspendLeading(edges: Edges) {
    let tool = debouncer(edges: edges)
    tool.suspend()
    tool.send("a")
    at(10)
    tool.resume()
    clock.runReady()
    #expect(log.values == ["a@10"])
  }

  @Test("cancel drops and returns what a suspended tool has kept")
  func cancelSuspended() {
    let tool = debouncer()
    tool.suspend()
    tool.send("a")
    at(200)
    #expect(tool.cancel() == "a")
    tool.resume()
    at(1000)
    #expect(log.values == [])
  }

  @Test("flush and finish decide although the tool is suspended")
  func flushSuspended() {
    let tool = debouncer()
    tool.suspend()
    tool.send("a")
    #expect(tool.flush())
    clock.runReady()
    tool.send("b")
    at(200)
    #expect(log.values == ["a@0"] && tool.isPending)
    tool.finish()
    clock.runReady()
    #expect(log.values == ["a@0", "b@200"])
  }

  @Test(
    "a throttler that finishes while it is suspended keeps its window",
    arguments: [(53, 100), (107, 107)])
  func finishSuspended(end: Int, delivered: Int) {
    let tool = throttler()
    tool.send("a")
    at(50)
    tool.suspend()
    tool.send("b")
    at(end)
    tool.finish()
    at(1000)
    #expect(log.values == ["a@0", "b@\(delivered)"])
  }

  @Test("maximum waits go on counting")
  func suspendMaximumWait() {
    let tool = debouncer(maximumWait: .milliseconds(200))
    tool.send("a")
    for (time, value) in [(50, "b"), (100, "c")] {
      at(time)
      tool.send(value)
    }
    at(101)
    tool.suspend()
    for (time, value) in [(200, "d"), (250, "e"), (300, "f")] {
      at(time)
      tool.send(value)
    }
    at(301)
    tool.resume()
    at(1000)
    #expect(log.values == ["f@301"])
  }

  @Test("the delivery by resume opens a throttler's window")
  func suspendThrottler() {
    let tool = throttler()
    tool.send("a")
    at(50)
    tool.suspend()
    tool.send("b")
    at(53)
    tool.send("c")
    at(250)
    tool.resume()
    at(251)
    tool.send("d")
    at(1000)
    #expect(log.values == ["a@0", "c@250", "d@350"])
  }

  @Test("a flush of one key of a suspended tool delivers that one only")
  func suspendKeyed() {
    let tool = KeyedDebouncer<String, Int>(for: .milliseconds(100), clock: clock) {
      [log, clock] key, value in log.record("\(key)\(value)@\(clock.now.milliseconds)")
    }
    tool.suspend()
    tool.send(1, for: "a")
    tool.send(1, for: "b")
    at(150)
    #expect(tool.flush(for: "b") && tool.keyCount == 2)
    clock.runReady()
    #expect(log.takeAll() == ["b1@150"] && tool.isSuspended)
    tool.send(2, for: "b")
    at(200)
    tool.resume()
    at(1000)
    #expect(log.values == ["a1@200", "b2@250"])
  }

  @Test("a suspended throttler forgets keys whose windows have ended, which make room")
  func suspendKeyedWindows() {
    let tool = KeyedThrottler<String, Int>(
      every: .milliseconds(100), maximumKeys: 1, clock: clock
    ) { [log] key, value in log.record("\(key)\(value)") }
    tool.suspend()
    for (index, key) in ["a", "b", "c"].enumerated() {
      tool.send(1, for: key)
      #expect(tool.flush(for: key) && tool.keyCount == 1)
      at(100 * (index + 1))
      #expect(tool.keyCount == 0)
    }
    #expect(log.values == ["a1", "b1", "c1"] && tool.statistics.dropped == 0)
    #expect(clock.pendingCount == 0)
  }

  @Test("what is due of a suspended tool makes room in the order of its deadlines")
  func suspendKeyedRoom() {
    let tool = KeyedDebouncer<String, Int>(
      for: .milliseconds(100), maximumKeys: 2, whenFull: .makeRoom,
      clock: clock
    ) { [log, clock] key, value in log.record("\(key)\(value)@\(clock.now.milliseconds)") }
    tool.send(1, for: "a")
    at(10)
    tool.send(1, for: "b")
    tool.suspend()
    at(300)
    tool.send(1, for: "c")
    clock.runReady()
    #expect(log.takeAll() == ["a1@300"])
    tool.send(1, for: "d")
    clock.runReady()
    #expect(log.takeAll() == ["b1@300"])
    at(350)
    tool.resume()
    at(1000)
    #expect(log.values == ["c1@400", "d1@400"])
  }

  @Test("a batch of a suspended batcher still has a time to close")
  func suspendBatchTime() {
    let tool = Batcher<Int>(
      BatchLimit(maximumCount: 2, maximumDelay: .milliseconds(100)), clock: clock)
    tool.send(1)
    tool.suspend()
    at(40)
    #expect(tool.timeRemaining == .milliseconds(60))
    at(140)
    #expect(tool.timeRemaining == .zero)
    #expect(tool.flush() && tool.timeRemaining == nil)
  }

  @Test("batches of a suspended batcher close and wait; a flush delivers those that there are")
  func suspendBatcher() {
    let batches = EventRecorder<[Int]>()
    let tool = Batcher<Int>(
      BatchLimit(maximumCount: 2, maximumDelay: .milliseconds(100)), clock: clock
    ) { batches.record($0) }
    tool.suspend()
    for element in 1...3 { tool.send(element) }
    at(50)
    #expect(batches.values == [] && tool.pending == [1, 2, 3])
    #expect(tool.flush())
    clock.runReady()
    #expect(batches.takeAll() == [[1, 2], [3]])
    for element in 4...6 { tool.send(element) }
    at(300)
    #expect(batches.values == [])
    tool.resume()
    clock.advance(by: .zero)
    #expect(batches.values == [[4, 5], [6]])
  }

  @Test("a call waits for resume")
  func suspendCalls() async throws {
    let tool = AsyncThrottler<Int, Int>(every: .milliseconds(100), clock: clock) { $0 }
    tool.suspend()
    let call = Task.eager { try await tool.call(1) }
    at(150)
    #expect(tool.isPending)
    tool.resume()
    clock.advance(by: .zero)
    #expect(try await call.value == .executed(1))
  }
}
