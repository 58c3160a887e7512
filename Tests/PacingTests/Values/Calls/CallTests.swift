import Pacing
import PacingTesting
import TestSupport
import Testing

/// Calls are made by immediate tasks, and are accepted by the time these first suspend.
@Suite("Calls with waiting callers")
struct CallTests {
  typealias Outcome = CallOutcome<String>

  struct Failure: Error, Equatable {
    let input: Int
  }

  let clock = ManualClock()
  let gate = Gate<Int>()
  let log = EventRecorder<Int>()

  /// A debouncer whose operation waits at the gate; a negative input fails, and cancellation is
  /// honoured.
  private func debouncer(
    overlap: Overlap = .keepLatest, edges: Edges = .trailing
  ) -> AsyncDebouncer<Int, String> {
    AsyncDebouncer(for: .seconds(1), edges: edges, overlap: overlap, clock: clock) {
      [gate, log] input in
      log.record(input)
      await gate.pass(input)
      try Task.checkCancellation()
      if input < 0 { throw Failure(input: input) }
      return "answer \(input)"
    }
  }

  private func call(
    _ tool: some CallingTool<Int, String>, _ input: Int
  ) -> Task<Outcome, any Error> {
    Task.eager { try await tool.call(input) }
  }

  private func isBalanced(_ tool: some CallingTool<Int, String>) -> Bool {
    let counts = tool.statistics
    return counts.received == counts.delivered + counts.merged + counts.dropped + counts.pending
  }

  @Test("lodash#5708: a caller has the answer to its own call, never to an earlier one")
  func ownAnswer() async throws {
    let tool = debouncer()
    gate.openAll()
    for input in 1...3 {
      let caller = call(tool, input)
      clock.advance(by: .seconds(1))
      #expect(try await caller.value == .executed("answer \(input)"))
    }
    #expect(log.values == [1, 2, 3] && isBalanced(tool))
  }

  @Test("pacer#24, perfect-debounce#64: a superseded caller is resumed, and at once")
  func superseded() async throws {
    let tool = debouncer()
    let callers = (1...3).map { call(tool, $0) }
    #expect(try await callers[0].value == .superseded)
    #expect(try await callers[1].value == .superseded)
    #expect(tool.isPending && tool.statistics.merged == 2)
    gate.openAll()
    clock.advance(by: .seconds(1))
    #expect(try await callers[2].value == .executed("answer 3"))
    #expect(log.values == [3] && isBalanced(tool))
  }

  @Test("pacer#257: a call that falls due behind a running one is not lost")
  func behind() async throws {
    let tool = debouncer()
    let first = call(tool, 1)
    clock.advance(by: .seconds(1))
    await gate.arrival(1)
    let second = call(tool, 2)
    clock.advance(by: .seconds(1))
    #expect(tool.isPending && log.values == [1])
    gate.openAll()
    #expect(try await first.value == .executed("answer 1"))
    #expect(try await second.value == .executed("answer 2"))
    #expect(!tool.isPending)
  }

  @Test("p-debounce#3: one in flight and the newest waiting; no older answer comes after a newer")
  func atMostOne() async throws {
    let tool = debouncer()
    let answers = EventRecorder<Int>()
    var callers = [Task<Void, any Error>]()
    for input in 1...6 {
      callers.append(
        Task.eager {
          if try await tool.call(input).value != nil { answers.record(input) }
        })
      clock.advance(by: .seconds(1))
      if input == 1 { await gate.arrival(1) }
    }
    #expect(log.values == [1] && tool.statistics.pending == 1 && tool.statistics.merged == 4)
    gate.open(1)
    await gate.arrival(6)
    gate.openAll()
    for caller in callers { try await caller.value }
    #expect(log.values == [1, 6])
    #expect(Set(answers.values) == [1, 6])
  }

  @Test("a run that was cancelled for a newer one is superseded, whatever error it ends with")
  func cancelledRun() async throws {
    struct Interrupted: Error {}
    let tool = AsyncDebouncer<Int, Int>(
      for: .zero, overlap: .cancelPrevious, clock: clock
    ) { [clock] input in
      do { try await clock.sleep(for: .seconds(1)) } catch { throw Interrupted() }
      return input
    }
    let first = Task.eager { try await tool.call(1) }
    clock.advance(by: .zero)
    await clock.sleepers(atLeast: 1)
    let second = Task.eager { try await tool.call(2) }
    clock.advance(by: .zero)
    #expect(try await first.value == .superseded)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    #expect(try await second.value == .executed(2))
  }

  @Test("an error goes to the caller whose call threw it, and to no other")
  func errors() async throws {
    let tool = debouncer()
    gate.openAll()
    let (first, second) = (call(tool, 1), call(tool, -2))
    clock.advance(by: .seconds(1))
    await #expect(throws: Failure(input: -2)) { try await second.value }
    #expect(try await first.value == .superseded)
    let cancelled = AsyncDebouncer<Int, String>(for: .zero, clock: clock) { _ in
      throw CancellationError()
    }
    await #expect(throws: CancellationError.self) { try await cancelled.call(1) }
  }

  @Test("a caller whose task is cancelled before it calls changes nothing")
  func cancelledBefore() async throws {
    let tool = debouncer()
    let waiting = call(tool, 1)
    let late = Task.eager {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await tool.call(2)
    }
    #expect(try await late.value == .cancelled)
    #expect(tool.statistics.received == 1)
    #expect(tool.cancel() == 1)
    #expect(try await waiting.value == .cancelled)
  }

  @Test("a caller whose task is cancelled on its way in takes its call back as soon as it is there")
  func cancelledOnItsWay() async throws {
    // The rule runs after the check for cancellation and before the call is made.
    let tool = AsyncDebouncer<Int, String>(
      for: .seconds(1),
      varying: { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        return nil
      }, clock: clock
    ) { "answer \($0)" }
    let outcome = Slot<Outcome>()
    let task = Task.eager { _ = outcome.put(try await tool.call(1)) }
    #expect(outcome.value == .cancelled)
    #expect(!tool.isPending && clock.pendingCount == 0)
    #expect(tool.statistics.dropped(.cancelled) == 1)
    clock.advance(by: .seconds(1))
    try await task.value
  }

  @Test("a caller whose task is cancelled while its call is pending takes it back")
  func cancelledWhilePending() async throws {
    let tool = debouncer()
    let caller = call(tool, 1)
    caller.cancel()
    #expect(try await caller.value == .cancelled)
    #expect(!tool.isPending && clock.pendingCount == 0)
    clock.advance(by: .seconds(2))
    await clock.settle()
    #expect(log.values.isEmpty && tool.statistics.dropped(.cancelled) == 1)
  }

  @Test("a superseded caller that is cancelled takes nothing back")
  func cancelledWhenSuperseded() async throws {
    let tool = debouncer()
    gate.openAll()
    let (first, second) = (call(tool, 1), call(tool, 2))
    first.cancel()
    #expect(try await first.value == .superseded)
    clock.advance(by: .seconds(1))
    #expect(try await second.value == .executed("answer 2"))
  }

  @Test("a caller whose task is cancelled while its operation runs is told when that has ended")
  func cancelledWhileRunning() async throws {
    let tool = debouncer()
    let caller = call(tool, 1)
    clock.advance(by: .seconds(1))
    await gate.arrival(1)
    caller.cancel()
    gate.open(1)
    #expect(try await caller.value == .cancelled)
    let stubborn = AsyncThrottler<Int, String>(every: .seconds(1), clock: clock) { [gate] input in
      await gate.pass(input)
      return "done"
    }
    let other = call(stubborn, 2)
    await gate.arrival(2)
    other.cancel()
    gate.open(2)
    #expect(try await other.value == .executed("done"), "what it has done is said")
  }

  @Test("a call that is decided and has not begun can be taken back, by its caller or the tool")
  func cancelledWhenDecided() async throws {
    let tool = debouncer(overlap: .queue(2))
    let running = call(tool, 1)
    tool.flush()
    await gate.arrival(1)
    for isCaller in [true, false] {
      let caller = call(tool, 2)
      #expect(tool.flush() && tool.isPending && tool.timeRemaining == nil)
      // The operation runs for the first call, so it has not begun for this one.
      if isCaller { caller.cancel() } else { #expect(tool.cancel() == 2) }
      #expect(try await caller.value == .cancelled)
    }
    gate.openAll()
    #expect(try await running.value == .executed("answer 1"))
    #expect(log.values == [1] && isBalanced(tool) && tool.statistics.dropped(.cancelled) == 2)
  }

  @Test("cancelling the tool withdraws what has not begun, and leaves what runs")
  func cancelTool() async throws {
    let tool = debouncer()
    let running = call(tool, 1)
    clock.advance(by: .seconds(1))
    await gate.arrival(1)
    let pending = call(tool, 2)
    #expect(tool.cancel() == 2 && tool.cancel() == nil)
    #expect(try await pending.value == .cancelled)
    gate.openAll()
    #expect(try await running.value == .executed("answer 1"))
    #expect(await tool.cancelAndWait() == nil)
  }

  @Test("finishing runs what is pending, or discards it; later callers are told at once")
  func finish() async throws {
    gate.openAll()
    for isDiscarding in [false, true] {
      let tool = debouncer()
      let caller = call(tool, 1)
      tool.finish(isDiscarding ? .discard : nil)
      tool.finish()
      #expect(try await tool.call(2) == .cancelled)
      #expect(try await caller.value == (isDiscarding ? .cancelled : .executed("answer 1")))
      #expect(tool.statistics.dropped(.finished) == (isDiscarding ? 2 : 1) && isBalanced(tool))
    }
  }

  @Test("cancelPrevious: the run is cancelled, its caller superseded, and the newest runs")
  func cancelPrevious() async throws {
    let tool = debouncer(overlap: .cancelPrevious)
    let first = call(tool, 1)
    clock.advance(by: .seconds(1))
    await gate.arrival(1)
    let second = call(tool, 2)
    clock.advance(by: .milliseconds(999))
    #expect(tool.isPending, "nothing is cancelled before the newer call is due")
    clock.advance(by: .milliseconds(1))
    gate.openAll()
    #expect(try await first.value == .superseded)
    #expect(try await second.value == .executed("answer 2"))
  }

  @Test("a call at an edge that is not run, or that finds the operation busy, is superseded")
  func notRun() async throws {
    let leading = debouncer(edges: .leading)
    let first = call(leading, 1)
    #expect(try await call(leading, 2).value == .superseded)
    let busy = AsyncThrottler<Int, String>(every: .zero, overlap: .dropNew, clock: clock) {
      [gate] input in
      await gate.pass(input)
      return "throttled"
    }
    let third = call(busy, 3)
    await gate.arrival(3)
    #expect(try await call(busy, 4).value == .superseded)
    gate.openAll()
    #expect(try await first.value == .executed("answer 1"))
    #expect(try await third.value == .executed("throttled"))
    #expect(isBalanced(leading) && busy.statistics.dropped(.busy) == 1)
  }

  @Test("concurrent operations answer their own callers, in the order in which they end")
  func concurrent() async throws {
    let tool = AsyncThrottler<Int, String>(every: .zero, overlap: .concurrent(2), clock: clock) {
      [gate] input in
      await gate.pass(input)
      return "\(input)"
    }
    let callers = (1...2).map { call(tool, $0) }
    await gate.arrival(1)
    await gate.arrival(2)
    let waiting = (3...4).map { call(tool, $0) }
    #expect(try await waiting[0].value == .superseded)
    gate.open(2)
    #expect(try await callers[1].value == .executed("2"))
    gate.openAll()
    #expect(try await callers[0].value == .executed("1"))
    #expect(try await waiting[1].value == .executed("4"))
  }

  @Test("calls without input; a caller that waits keeps its tool, which goes after it")
  func lifetime() async throws {
    let released = CountDown(1)
    var caller: Task<CallOutcome<Int>, any Error>?
    do {
      let burden = Burden("captured") { released.arrive() }
      let tool = AsyncDebouncer<Void, Int>(for: .seconds(1), clock: clock) {
        withExtendedLifetime(burden) { 7 }
      }
      caller = Task.eager { try await tool.call() }
    }
    clock.advance(by: .seconds(1))
    #expect(try await caller?.value == .executed(7))
    caller = nil
    await released.wait()
    #expect(clock.pendingCount == 0)
  }

  @Test("flushAndWait runs the pending call now, and returns when its caller can have the answer")
  func flushAndWait() async throws {
    let tool = debouncer()
    gate.openAll()
    let caller = call(tool, 1)
    #expect(await tool.flushAndWait())
    #expect(try await caller.value.value == "answer 1")
    #expect(await tool.flushAndWait() == false)
  }
}
