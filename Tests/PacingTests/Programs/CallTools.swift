import Pacing
import PacingTesting
import TestSupport

extension AsyncDebouncer: Steerable {}
extension AsyncThrottler: Steerable {}

/// What the operation of a tool with callers does: it takes time, fails now and then, and returns
/// what it was called with.
final class ProgramOperation: Sendable {
  /// How many runs there may be at a time.
  let width: Int
  let overlap: Overlap
  private let clock: ManualClock
  private let pause: Duration
  private let begin: @Sendable () -> Void
  private let running = Counter()
  private let mostRunning = Locked(0)

  init(_ tool: Program.Tool, clock: ManualClock, begin: @escaping @Sendable () -> Void) {
    (self.clock, self.begin) = (clock, begin)
    overlap =
      [.keepLatest, .cancelPrevious, .dropNew, .queue(2), .concurrent(2)][tool.variant % 5]
    width = tool.variant % 5 == 4 ? 2 : 1
    pause = .milliseconds(tool.variant % 4)
  }

  var violation: String? {
    let most = mostRunning.withLock { $0 }
    return most <= width ? nil : "\(most) operations at a time"
  }

  func run(_ input: Int) async throws -> Int {
    let count = running.add()
    defer { running.add(-1) }
    mostRunning.withLock { $0 = max($0, count) }
    begin()
    if pause > .zero { try await clock.sleep(for: pause) }
    if input.isMultiple(of: 7) { throw ProgramFailure() }
    return input
  }
}

/// A tool whose callers wait for what its operation returns.
final class CallTool<Tool: CallingTool<Int, Int> & Steerable>: ProgramTool {
  let takesValues = false
  private let tool: Tool
  private let operation: ProgramOperation
  private let calls = Counter()
  private let wrong = Locked(String?.none)

  init(_ tool: Tool, _ operation: ProgramOperation) {
    (self.tool, self.operation) = (tool, operation)
  }

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .flush: tool.flush()
    case .cancel: tool.cancel()
    case .finish: tool.finish()
    default: tool.steer(verb)
    }
  }

  func waiting(_ number: Int) -> ProgramTask? {
    { [tool, calls, wrong] in
      let input = calls.add()
      let outcome = try await tool.call(input)
      let isRight =
        switch outcome.kind {
        case .executed: outcome.value == input
        case .shared: outcome.value.map { $0 != input } ?? false
        default: outcome.value == nil
        }
      if !isRight { wrong.withLock { $0 = "call \(input) got \(outcome)" } }
    }
  }

  /// A call whose task is cancelled before it begins is not received.
  func violation(sent: Int) -> String? {
    let counts = tool.statistics
    let received = min(counts.received, calls.value)
    return operation.violation ?? wrong.withLock { $0 } ?? difference(counts, received)
  }
}

/// Operations that have to end in time.
struct TimeoutTool: ProgramTool {
  let timeout: Duration
  let clock: ManualClock
  let takesValues = false
  let run: @Sendable () -> Void
  let fail: @Sendable (String) -> Void

  func perform(_ verb: Program.Verb, _ number: Int) {}

  func waiting(_ number: Int) -> ProgramTask? {
    { [timeout, clock, run, fail] in
      let start = clock.now
      do {
        try await withTimeout(timeout, clock: clock) {
          run()
          try await clock.sleep(for: .milliseconds(number))
        }
        if start.duration(to: clock.now) < .milliseconds(number) { fail("a sleep ended early") }
      } catch is TimeoutError {
        if start.duration(to: clock.now) < timeout { fail("a timeout came early") }
      }
    }
  }
}
