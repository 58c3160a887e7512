import Pacing
import PacingTesting
import TestSupport

/// A run of a program on one manual clock, and what must hold whatever the program does.
///
/// Values are numbers that only grow, so their order is that of the calls.
final class ProgramRun: Sendable {
  /// A fault of the run's own, to show that it would be found.
  enum Fault {
    /// A value sent from inside a handler is lost.
    case losesValuesOfHandlers
    /// A flush delivers again what was delivered last.
    case deliversTwice
  }

  struct State {
    var tools: [(any ProgramTool)?]
    /// The tasks of each tool: consumers of its streams, and those that wait for tokens.
    var tasks: [[Task<Void, any Error>]]
    /// How many handlers of each tool run.
    var inside: [Int]
    /// How many lines each tool's handler has taken.
    var reacted: [Int]
    var reactionsLeft: Int
    var sent: [Int]
    var last: [[Int: Int]]
    var next = 0
    var violation: String?
  }

  let clock = ManualClock()
  let program: Program
  let fault: Fault?
  /// How many handlers' closures are alive.
  let living = Counter()
  private let state: Locked<State>

  init(_ program: Program, fault: Fault? = nil) {
    self.program = program
    self.fault = fault
    let count = program.tools.count
    state = Locked(
      State(
        tools: Array(repeating: nil, count: count), tasks: Array(repeating: [], count: count),
        inside: Array(repeating: 0, count: count), reacted: Array(repeating: 0, count: count),
        reactionsLeft: 3 * program.lines.count, sent: Array(repeating: 0, count: count),
        last: Array(repeating: [:], count: count)))
  }

  /// Runs the program, and returns what is wrong, nil if nothing is.
  func violation() -> String? {
    for index in program.tools.indices {
      let tool = makeTool(program.tools[index], index)
      state.withLock { $0.tools[index] = tool }
    }
    for (number, line) in program.lines.enumerated() {
      perform(line, isInside: false)
      check()
      if let violation = state.withLock({ $0.violation }) {
        tearDown()
        return "\(violation), after line \(number): \(line)"
      }
    }
    tearDown()
    if let violation = state.withLock({ $0.violation }) { return "\(violation), at the end" }
    if clock.pendingCount > 0 { return "\(clock.pendingCount) timers are left" }
    return living.value == 0 ? nil : "\(living.value) handlers are never released"
  }

  private func tearDown() {
    for index in program.tools.indices {
      let tool = state.withLock { $0.tools[index].take() }
      tool?.perform(.cancel, 0)
    }
    let tasks = state.withLock { state in
      defer { state.tasks = [] }
      state.reactionsLeft = 0
      return state.tasks.joined()
    }
    for task in tasks { task.cancel() }
    clock.advance(by: .seconds(10))
  }

  // MARK: Lines

  private func perform(_ line: Program.Line, isInside: Bool) {
    switch line.verb {
    case .advance where !isInside: clock.advance(by: .milliseconds(line.number))
    case .advance, .lapse: clock.lapse(by: .milliseconds(line.number))
    case .drop:
      // Released outside the lock: its deinit may call back.
      _ = state.withLock { $0.tools[line.tool].take() }
    case .leave:
      let task = state.withLock { $0.tasks.isEmpty ? nil : $0.tasks[line.tool].popLast() }
      task?.cancel()
    case .subscribe, .wait:
      guard let tool = state.withLock({ $0.tools[line.tool] }) else { return }
      let body = line.verb == .wait ? tool.waiting(line.number) : tool.consumer()
      guard let body else { return }
      add(clock.run { try await body() }, to: line.tool)
    case .send:
      let (tool, number) = state.withLock { state in
        state.next += 1
        return (state.tools[line.tool], state.next)
      }
      guard let tool, tool.takesValues else { return }
      state.withLock { $0.sent[line.tool] += 1 }
      if fault == .losesValuesOfHandlers, isInside { return }
      tool.perform(.send, number)
    default:
      guard let tool = state.withLock({ $0.tools[line.tool] }) else { return }
      tool.perform(line.verb, line.number)
      if fault == .deliversTwice, line.verb == .flush,
        let last = state.withLock({ $0.last[line.tool].first })
      {
        handle([last.value], key: last.key, of: line.tool)
      }
    }
  }

  private func add(_ task: Task<Void, any Error>, to tool: Int) {
    let isLate = state.withLock { state in
      guard !state.tasks.isEmpty else { return true }
      state.tasks[tool].append(task)
      return false
    }
    if isLate { task.cancel() }
  }

  // MARK: Handlers

  /// What the handler of a tool does: it notes the values, and takes a line.
  func handle(_ values: [Int], key: Int = 0, of index: Int) {
    let line = state.withLock { state -> Program.Line? in
      state.inside[index] += 1
      if state.inside[index] > 1, program.tools[index].isSerial {
        state.violation = "two handlers of tool \(index) run at a time"
      }
      for value in values {
        if let last = state.last[index][key], last >= value {
          state.violation = "tool \(index) delivers \(value) after \(last)"
        }
        state.last[index][key] = value
      }
      let lines = program.reactions[index]
      guard state.reactionsLeft > 0, !lines.isEmpty else { return nil }
      state.reactionsLeft -= 1
      state.reacted[index] += 1
      return lines[state.reacted[index] % lines.count]
    }
    if let line { perform(line, isInside: true) }
    state.withLock { $0.inside[index] -= 1 }
  }

  func fail(_ violation: String) {
    state.withLock { $0.violation = violation }
  }

  /// Checks each tool's counts.
  private func check() {
    let (tools, sent) = state.withLock { ($0.tools, $0.sent) }
    for (index, tool) in tools.enumerated() {
      guard let violation = tool?.violation(sent: sent[index]) else { continue }
      fail("tool \(index), a \(program.tools[index].kind): \(violation)")
    }
  }
}

extension Program.Tool {
  /// Whether one handler runs at a time: each key of a keyed tool has its own.
  var isSerial: Bool { kind != .keyedDebouncer && kind != .keyedThrottler }
}
