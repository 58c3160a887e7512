import Pacing
import PacingTesting
import TestSupport
import Testing

/// Calls are made by immediate tasks, and are accepted by the time these first suspend.
@Suite("Calls: their waits, and settings that change")
struct CallSettingsTests {
  typealias Caller = Task<CallOutcome<Int>, any Error>

  let clock = ManualClock()
  let log = EventRecorder<String>()

  private func operation() -> @Sendable (Int) async throws -> Int {
    { [log, clock] input in
      log.record("\(input)@\(clock.now.milliseconds)")
      return input
    }
  }

  private func advance(by milliseconds: Int) async {
    clock.advance(by: .milliseconds(milliseconds))
    await clock.settle()
  }

  @Test("a call brings its own quiet period, by the rule or by itself")
  func varyingDebounce() async throws {
    let tool = AsyncDebouncer<Int, Int>(
      for: .milliseconds(100), varying: { $0 > 9 ? .milliseconds($0) : nil }, clock: clock,
      operation: operation())
    var callers = [Caller.eager { try await tool.call(1) }]
    #expect(tool.pending == 1 && tool.timeRemaining == .milliseconds(100))
    await advance(by: 100)
    callers.append(.eager { try await tool.call(30) })
    #expect(tool.timeRemaining == .milliseconds(30))
    await advance(by: 30)
    callers.append(.eager { try await tool.call(50, waiting: .milliseconds(5)) })
    await advance(by: 5)
    #expect(log.values == ["1@100", "30@130", "50@135"])
    #expect(tool.pending == nil && tool.timeRemaining == nil)
    for (caller, input) in zip(callers, [1, 30, 50]) {
      #expect(try await caller.value == .executed(input))
    }
  }

  @Test("a caller that leaves ends no burst: the next call does not lead")
  func leavers() async throws {
    let tool = AsyncDebouncer<Int, Int>(
      for: .milliseconds(100), edges: .both, clock: clock, operation: operation())
    var last: Caller?
    for input in 0..<10 {
      last?.cancel()
      _ = try await last?.value
      last = .eager { try await tool.call(input) }
      await advance(by: 0)
      await advance(by: 50)
    }
    await advance(by: 50)
    #expect(log.values == ["0@0", "9@550"])
    // One that would have led takes its burst along.
    await advance(by: 100)
    tool.suspend()
    let leader = Caller.eager { try await tool.call(10) }
    leader.cancel()
    #expect(try await leader.value == .cancelled)
    tool.resume()
    _ = Caller.eager { try await tool.call(11) }
    await advance(by: 0)
    #expect(log.values.last == "11@650")
  }

  @Test("a call brings the window that it opens, and reset closes it")
  func varyingThrottle() async throws {
    let tool = AsyncThrottler<Int, Int>(
      every: .milliseconds(100), varying: { $0 > 9 ? .milliseconds($0) : nil }, clock: clock,
      operation: operation())
    for input in [30, 1] {
      _ = Caller.eager { try await tool.call(input) }
      await advance(by: 0)
    }
    await advance(by: 30)
    let kept = Caller.eager { try await tool.call(2, every: .milliseconds(10)) }
    #expect(log.values == ["30@0", "1@30"] && tool.timeRemaining == .milliseconds(100))
    #expect(tool.reset() == 2 && tool.reset() == nil)
    #expect(try await kept.value == .cancelled)
    _ = Caller.eager { try await tool.call(3, every: .milliseconds(10)) }
    await advance(by: 0)
    _ = Caller.eager { try await tool.call(4) }
    await advance(by: 10)
    #expect(log.values == ["30@0", "1@30", "3@30", "4@40"])
  }

  @Test("new settings count from the next call; what is pending keeps its time")
  func changing() async {
    let debouncer = AsyncDebouncer<Int, Int>(
      for: .milliseconds(100), clock: clock, operation: operation())
    _ = Caller.eager { try await debouncer.call(1) }
    debouncer.wait = .milliseconds(10)
    debouncer.maximumWait = .milliseconds(15)
    #expect(debouncer.timeRemaining == .milliseconds(100) && debouncer.wait == .milliseconds(10))
    await advance(by: 100)
    for input in 2...4 {
      _ = Caller.eager { try await debouncer.call(input) }
      await advance(by: 5)
    }
    debouncer.edges = .both
    _ = Caller.eager { try await debouncer.call(5) }
    await advance(by: 10)
    #expect(log.takeAll() == ["1@100", "4@115", "5@125"])
    #expect(debouncer.maximumWait == .milliseconds(15) && debouncer.edges == .both)
    let throttler = AsyncThrottler<Int, Int>(
      every: .milliseconds(100), clock: clock, operation: operation())
    throttler.interval = .milliseconds(10)
    throttler.edges = .trailing
    _ = Caller.eager { try await throttler.call(6) }
    await advance(by: 10)
    #expect(log.values == ["6@135"] && throttler.interval == .milliseconds(10))
    #expect(throttler.edges == .trailing)
  }
}
