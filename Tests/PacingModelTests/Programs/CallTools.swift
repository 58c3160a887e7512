import Pacing
import PacingTesting
import TestSupport

/// What the operation of a tool with callers does: it takes time, fails now and then, and returns
/// what it was called with.
final class ProgramOperation: Sendable {
  private struct State {
    /// When each call came; its input is the index.
    var came = [PacingInstant]()
    /// How many runs have begun, how many of them have not ended, and the input of the last one.
    var begun = 0
    var running = 0
    var last = -1
    var lastEnd = PacingInstant.distantPast
    /// Whether a call has asked for a run before its time.
    var isHurried = false
    /// The inputs that were run.
    var ran = Set<Int>()
    var violation: String?
  }

  let overlap: Overlap
  private let tool: Program.Tool
  private let clock: ManualClock
  private let start: PacingInstant
  private let begin: @Sendable () -> Void
  private let state = Locked(State())

  init(_ tool: Program.Tool, clock: ManualClock, begin: @escaping @Sendable () -> Void) {
    (self.tool, self.clock, self.begin, start) = (tool, clock, begin, clock.now)
    overlap =
      [.keepLatest, .cancelPrevious, .dropNew, .queue(2), .concurrent(2)][tool.variant % 5]
  }

  var violation: String? { state.withLock { $0.violation } }

  /// How many calls have come.
  var calls: Int { state.withLock { $0.came.count } }

  /// Notes a call, and returns its input.
  func comes() -> Int {
    state.withLock { state in
      state.came.append(clock.now)
      return state.came.count - 1
    }
  }

  func hurry() { state.withLock { $0.isHurried = true } }

  func fail(_ violation: String) {
    state.withLock { $0.violation = $0.violation ?? violation }
  }

  func run(_ input: Int) async throws -> Int {
    let violation = state.withLock { state in
      state.begun += 1
      state.running += 1
      state.ran.insert(input)
      defer { state.last = input }
      return self.violation(by: input, state)
    }
    if let violation { fail(violation) }
    defer {
      state.withLock { state in
        state.running -= 1
        state.lastEnd = clock.now
      }
    }
    begin()
    let pause = Duration.milliseconds(tool.variant % 4)
    if pause > .zero { try await clock.sleep(for: pause) }
    if Self.fails(input) { throw ProgramFailure() }
    return input
  }

  /// Whether a run of that input is to end by itself.
  func isSpared(_ input: Int) -> Bool {
    tool.variant % 5 != 1 && state.withLock { $0.ran.contains(input) }
  }

  static func fails(_ input: Int) -> Bool { input.isMultiple(of: 7) }

  /// What is wrong about the beginning of a run.
  private func violation(by input: Int, _ state: State) -> String? {
    if state.running > (tool.variant % 5 == 4 ? 2 : 1) { return "\(state.running) at a time" }
    if input <= state.last { return "\(input) after \(state.last)" }
    guard !state.isHurried else { return nil }
    let most = tool.mostDecisions(in: start.duration(to: clock.now))
    if state.begun > most { return "\(state.begun) runs, where \(most) have a window" }
    // A call that came while another ran may have been merged into one that was due.
    let (came, earliest) = (state.came[input], tool.earliest(of: state.came[input], since: start))
    return clock.now < earliest && state.lastEnd < came ? "\(input) is run early" : nil
  }
}

/// A tool whose callers wait for what its operation returns.
final class CallTool<Tool: CallingTool<Int, Int>>: ProgramTool {
  let takesValues = false
  private let tool: Tool
  private let operation: ProgramOperation

  init(_ tool: Tool, _ operation: ProgramOperation) {
    (self.tool, self.operation) = (tool, operation)
  }

  func perform(_ verb: Program.Verb, _ number: Int) {
    if ProgramRun.hurrying.contains(verb) { operation.hurry() }
    switch verb {
    case .flush: tool.flush()
    case .cancel: tool.cancel()
    case .finish: tool.finish()
    default: tool.steer(verb)
    }
  }

  func waiting(_ number: Int) -> ProgramTask? {
    { [tool, operation] in
      let input = operation.comes()
      do {
        let outcome = try await tool.call(input)
        let isRight =
          switch outcome {
          case .executed(let value): value == input && !ProgramOperation.fails(input)
          case .superseded, .cancelled: Task.isCancelled || !operation.isSpared(input)
          }
        if !isRight { operation.fail("call \(input) got \(outcome)") }
      } catch is ProgramFailure {
        if !ProgramOperation.fails(input) { operation.fail("call \(input) failed") }
      }
    }
  }

  /// A call whose task is cancelled before it begins is not received.
  func violation(sent: Int) -> String? {
    let counts = tool.statistics
    return operation.violation ?? difference(counts, min(counts.received, operation.calls))
  }
}

/// Operations that have to end in time.
struct TimeoutTool: ProgramTool {
  /// The end of the operation around a task, whose deadline may be in force for the task too.
  @TaskLocal private static var outerEnd = PacingInstant.distantFuture

  let timeout: Duration
  let clock: ManualClock
  let takesValues = false
  let lapses: @Sendable () -> Int?
  let run: @Sendable () -> Void
  let fail: @Sendable (String) -> Void

  func perform(_ verb: Program.Verb, _ number: Int) {}

  func waiting(_ number: Int) -> ProgramTask? {
    { [timeout, clock, lapses, run, fail] in
      let (start, before, outerEnd) = (clock.now, lapses(), Self.outerEnd)
      let (wait, readsDeadline) = (Duration.milliseconds(number), number.isMultiple(of: 2))
      let isCut: Bool
      var end = start
      do {
        try await withTimeout(timeout, clock: clock) {
          defer { end = clock.now }
          Self.$outerEnd.withValue(min(outerEnd, start.advanced(by: timeout))) { run() }
          let wake = clock.now.advanced(by: wait)
          if readsDeadline {
            try await clock.sleep(until: wake)
          } else {
            try await clock.service.sleep(until: wake)
          }
        }
        isCut = false
      } catch is TimeoutError {
        isCut = true
      }
      let time = start.duration(to: clock.now)
      // A sleep that could not end in time is refused at its beginning.
      let isRefused =
        isCut && readsDeadline
        && (time + wait >= timeout || clock.now.advanced(by: wait) >= outerEnd)
      // Others may advance the clock before this task goes on.
      if isCut ? time < timeout && !isRefused : start.duration(to: end) >= timeout {
        fail("a timeout came at \(time): \(isCut)")
      }
      if !isCut, time < wait { fail("a sleep ended early") }
      // Nothing was late.
      guard let before, before == lapses() else { return }
      let most = readsDeadline && wait >= timeout ? .zero : min(timeout, wait)
      if time > most { fail("a wait ended late, after \(time)") }
    }
  }
}
