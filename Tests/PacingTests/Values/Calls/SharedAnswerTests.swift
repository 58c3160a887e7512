import Pacing
import PacingTesting
import TestSupport
import Testing

/// Calls are made by immediate tasks, and are accepted by the time these first suspend.
@Suite("Calls: answers for everyone")
struct SharedAnswerTests {
  typealias Outcome = CallOutcome<Int>

  struct Failure: Error, Equatable {
    let input: Int
  }

  let clock = ManualClock()
  let runs = EventRecorder<Int>()

  /// A debouncer whose operation takes 10 ms of the clock; a negative input fails, and cancellation
  /// is honoured and recorded as zero.
  private func debouncer(overlap: Overlap = .keepLatest) -> AsyncDebouncer<Int, Int> {
    AsyncDebouncer(
      for: .milliseconds(10), overlap: overlap, answering: .everyone, clock: clock
    ) { [clock, runs] input in
      runs.record(input)
      do {
        try await clock.sleep(for: .milliseconds(10))
      } catch {
        runs.record(0)
        throw error
      }
      if input < 0 { throw Failure(input: input) }
      return input * 100
    }
  }

  private func call(
    _ tool: some CallingTool<Int, Int>, _ input: Int
  ) -> Task<Outcome, any Error> {
    Task.immediate { try await tool.call(input) }
  }

  /// Lets the quiet period pass, then the run.
  private func letRun() async {
    clock.advance(by: .milliseconds(10))
    await clock.settle()
    clock.advance(by: .milliseconds(10))
  }

  @Test("superseded callers get the result of the run that stands for them")
  func result() async throws {
    let tool = debouncer()
    let callers = (1...3).map { call(tool, $0) }
    await letRun()
    #expect(try await callers[0].value == .shared(300))
    #expect(try await callers[1].value == .shared(300))
    #expect(try await callers[2].value == .executed(300))
    #expect(runs.values == [3] && tool.statistics.merged == 2)
  }

  @Test("superseded callers get the error of the run that stands for them")
  func error() async throws {
    let tool = debouncer()
    let callers = [1, -2].map { call(tool, $0) }
    await letRun()
    for caller in callers {
      await #expect(throws: Failure(input: -2)) { try await caller.value }
    }
  }

  @Test("a throttler's trailing run answers everyone in its window")
  func throttler() async throws {
    let tool = AsyncThrottler<Int, Int>(
      every: .milliseconds(10), answering: .everyone, clock: clock
    ) { $0 * 100 }
    let callers = (1...4).map { call(tool, $0) }
    clock.advance(by: .milliseconds(10))
    #expect(try await callers[0].value == .executed(100))
    #expect(try await callers[1].value == .shared(400))
    #expect(try await callers[2].value == .shared(400))
    #expect(try await callers[3].value == .executed(400))
  }

  @Test("the newest caller leaves, and the run takes place for the others")
  func newestLeaves() async throws {
    let tool = debouncer()
    let callers = (1...3).map { call(tool, $0) }
    callers[2].cancel()
    #expect(try await callers[2].value == .cancelled)
    #expect(tool.pending == 3)
    await letRun()
    #expect(try await callers[0].value == .shared(300))
    #expect(try await callers[1].value == .shared(300))
  }

  @Test("callers that leave a running operation are resumed at once, and the last one cancels it")
  func lastLeaves() async throws {
    let tool = debouncer()
    let callers = (1...3).map { call(tool, $0) }
    clock.advance(by: .milliseconds(10))
    await clock.settle()
    for caller in [callers[2], callers[0]] {
      caller.cancel()
      #expect(try await caller.value == .cancelled)
    }
    #expect(runs.values == [3])
    callers[1].cancel()
    #expect(try await callers[1].value == .cancelled)
    #expect(runs.values == [3, 0])
  }

  @Test("a call that all of its callers have left is withdrawn")
  func allLeave() async throws {
    let tool = debouncer()
    let callers = (1...3).map { call(tool, $0) }
    for caller in callers { caller.cancel() }
    for caller in callers { #expect(try await caller.value == .cancelled) }
    #expect(!tool.isPending && tool.statistics.dropped == 1)
  }

  @Test("cancel() ends all of them, and so does dropping what comes after finish()")
  func withdrawn() async throws {
    let tool = debouncer()
    let callers = (1...3).map { call(tool, $0) }
    #expect(tool.cancel() == 3)
    for caller in callers { #expect(try await caller.value == .cancelled) }
    tool.finish()
    #expect(try await call(tool, 4).value == .cancelled)
  }

  @Test("a burst of ten thousand costs a time that grows with their number")
  func crowd() async throws {
    let tool = debouncer()
    let callers = (1...10_000).map { call(tool, $0) }
    await letRun()
    for caller in callers.dropLast() { #expect(try await caller.value == .shared(1_000_000)) }
    #expect(try await callers.last!.value == .executed(1_000_000))
  }

  /// What the callers of a debouncer with `keepLatest` get: times in milliseconds, one group of
  /// callers that waits and one whose run goes on.
  private struct Model {
    struct Group {
      var callers = [Int]()
      var left = Set<Int>()
      var time = 0

      var isWanted: Bool { callers.contains { !left.contains($0) } }
    }

    private(set) var answers = [Int: String]()
    private(set) var waiting: Group?
    private(set) var running: Group?

    mutating func call(_ caller: Int, at now: Int) {
      waiting = waiting ?? Group()
      waiting?.callers.append(caller)
      waiting?.time = now + 10
    }

    mutating func leave(_ caller: Int, at now: Int) {
      if waiting?.callers.contains(caller) == true {
        waiting?.left.insert(caller)
        answers[caller] = "cancelled"
        if waiting?.isWanted == false { waiting = nil }
      } else if running?.callers.contains(caller) == true {
        running?.left.insert(caller)
        answers[caller] = "cancelled"
        if running?.isWanted == false { end(at: now) }
      }
    }

    mutating func pass(to now: Int) {
      if let running, running.time <= now { end(at: running.time) }
      begin(at: now)
      if let running, running.time <= now { end(at: running.time) }
      begin(at: now)
    }

    private mutating func begin(at now: Int) {
      guard running == nil, let group = waiting, group.time <= now else { return }
      (running, waiting) = (group, nil)
      running?.time = now + 10
    }

    private mutating func end(at now: Int) {
      guard let group = running else { return }
      for caller in group.callers where !group.left.contains(caller) {
        answers[caller] = caller == group.callers.last ? "executed" : "shared"
      }
      running = nil
      begin(at: now)
    }
  }

  @Test("law: each caller gets what a simple model says", arguments: Soak.portions(100))
  func law(seeds: ClosedRange<UInt64>) async throws {
    for seed in seeds {
      var random = SplitMix64(seed: seed)
      let clock = ManualClock()
      let tool = AsyncDebouncer<Int, Int>(
        for: .milliseconds(10), answering: .everyone, clock: clock
      ) { [clock] input in
        try await clock.sleep(for: .milliseconds(10))
        return input
      }
      var model = Model()
      var callers = [Task<Outcome, any Error>]()
      for now in 0..<120 {
        model.pass(to: now)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          model.call(callers.count, at: now)
          callers.append(call(tool, callers.count))
        case 1 where !callers.isEmpty:
          let index = Int.random(in: max(0, callers.count - 5)..<callers.count, using: &random)
          model.leave(index, at: now)
          callers[index].cancel()
          await clock.settle()
        default: break
        }
        clock.advance(by: .milliseconds(1))
        await clock.settle()
      }
      model.pass(to: 120)
      for now in 121..<160 {
        clock.advance(by: .milliseconds(1))
        await clock.settle()
        model.pass(to: now)
      }
      for (index, caller) in callers.enumerated() {
        let outcome = try await caller.value
        #expect("\(outcome.kind)" == model.answers[index], "seed \(seed), caller \(index)")
      }
    }
  }
}
