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
    /// Tools wait a millisecond less than they should.
    case hurries
    /// The look that notices threads that block is never set.
    case forgetsLooks
  }

  /// What the run knows of a tool, from when it is made.
  struct Known {
    var start: PacingInstant
    /// How many tools were made in its place before it.
    var generation: Int
    var sent = 0
    /// How many handlers have begun, and how many of them have not ended.
    var begun = 0
    var inside = 0
    /// The last value of each key, and when its handler ended.
    var last = [Int: Int]()
    var lastEnd = [Int: PacingInstant]()
    /// Whether a call has asked for a delivery before its time.
    var isHurried = false
  }

  struct State {
    var tools: [(any ProgramTool)?]
    /// The tasks of each tool: consumers of its streams, and those that wait for tokens.
    var tasks: [[Task<Void, any Error>]]
    var known: [Known]
    /// How many lines each tool's handler has taken.
    var reacted: [Int]
    var reactionsLeft: Int
    /// When each value was sent.
    var sentAt = [PacingInstant]()
    var steps = 0
    /// The next line of the program.
    var line = 0
    /// Up to when time passes before the next line.
    var until: PacingInstant
    var isOver = false
    var violation: String?
  }

  let clock: ManualClock
  let program: Program
  let fault: Fault?
  /// How many handlers' closures are alive.
  let living = Counter()
  /// How often time has passed that nothing could be done in.
  private let lapseCount = Counter()
  /// How many tasks have not ended.
  private let working = Counter()
  private let crew: Crew?
  private let state: Locked<State>

  /// After these, values come as soon as they may, or join one that was due long ago.
  static let hurrying: Set<Program.Verb> = [.flush, .finish, .reset, .suspend]

  /// How many new keys come in one line, now and then.
  private static let flood = 3_500
  /// The room that a queue may keep when nothing is in it.
  private static let spareRoom = 2_048

  init(_ program: Program, fault: Fault? = nil) {
    self.program = program
    self.fault = fault
    let clock = ManualClock(isLazy: program.isLazy, runsHandlers: true)
    self.clock = clock
    crew = program.crew.map {
      Crew($0, clock: clock, seed: program.seed, forgetsLooks: fault == .forgetsLooks)
    }
    let count = program.tools.count
    state = Locked(
      State(
        tools: Array(repeating: nil, count: count), tasks: Array(repeating: [], count: count),
        known: Array(repeating: Known(start: clock.now, generation: 0), count: count),
        reacted: Array(repeating: 0, count: count), reactionsLeft: 3 * program.lines.count,
        until: clock.now))
  }

  /// Runs the program, and returns what is wrong, nil if nothing is.
  func violation() -> String? {
    for index in program.tools.indices { make(index) }
    if let crew {
      crew.run { self.step() }
    } else {
      while case .again = step() {}
    }
    if let violation = state.withLock({ $0.violation }) { return violation }
    if clock.pendingCount > 0 { return "\(clock.pendingCount) timers are left" }
    if working.value > 0 { return "\(working.value) tasks never end" }
    return living.value == 0 ? nil : "\(living.value) handlers are never released"
  }

  /// What the crew does next, or the next line.
  private func step() -> Baton.Step {
    if let crew {
      let (until, tool) = state.withLock { state in
        state.steps += 1
        return (state.until, state.steps % state.tools.count)
      }
      let step = crew.step(until: until)
      // One tool after each step, and all of them after each line.
      check([tool])
      if let step { return step }
    }
    let (line, number, isOver) = state.withLock { state in
      let isLast = state.line >= program.lines.count || state.violation != nil
      defer { state.line += 1 }
      return (isLast ? nil : program.lines[state.line], state.line, state.isOver)
    }
    guard !isOver else {
      if let violation = crew?.violationAtEnd { fail(violation) }
      return .over
    }
    if let line {
      perform(line, isInside: false)
      check(program.tools.indices)
    } else {
      tearDown(after: number)
    }
    return .again
  }

  private func tearDown(after line: Int) {
    state.withLock { state in
      state.violation = state.violation.map { "\($0), after \(line) lines" }
    }
    for index in program.tools.indices {
      let tool = state.withLock { $0.tools[index].take() }
      tool?.perform(.cancel, 0)
    }
    let tasks = state.withLock { state in
      defer { state.tasks = [] }
      state.reactionsLeft = 0
      state.isOver = true
      return state.tasks.joined()
    }
    for task in tasks { task.cancel() }
    advance(by: .seconds(10))
  }

  private func advance(by span: Duration) {
    if crew == nil {
      clock.advance(by: span)
    } else {
      state.withLock { $0.until = clock.now.advanced(by: span) }
    }
  }

  /// A number that stays the same while nothing is late; nil for a crew, whose threads are.
  var lapses: Int? { crew == nil ? lapseCount.value : nil }

  // MARK: Lines

  private func perform(_ line: Program.Line, isInside: Bool) {
    let span = Duration.milliseconds(line.number)
    if line.verb == .lapse || isInside { lapseCount.add() }
    // What is scheduled while a handler blocks may be late for it too.
    defer { if isInside, line.verb == .block { lapseCount.add() } }
    switch line.verb {
    case .advance where !isInside, .block where !isInside: advance(by: span)
    case .block:
      // Without a crew, the others go on inside the handler.
      if let crew { crew.block(for: span * 4) } else { clock.advance(by: span * 4) }
    case .advance, .lapse:
      if let crew { crew.lapse(by: span) } else { clock.lapse(by: span) }
    case .setWall: clock.wallTime = .milliseconds(line.number * 100)
    case .make:
      if state.withLock({ $0.tools[line.tool] == nil && !$0.isOver }) { make(line.tool) }
    case .drop:
      // Released outside the lock: its deinit may call back.
      _ = state.withLock { $0.tools[line.tool].take() }
    case .leave:
      let task = state.withLock { $0.isOver ? nil : $0.tasks[line.tool].popLast() }
      task?.cancel()
    case .subscribe, .wait:
      guard let tool = state.withLock({ $0.tools[line.tool] }) else { return }
      let body =
        line.verb == .wait
        ? tool.waiting(line.number) : tool.consumer(slow: .milliseconds(line.number / 2), on: clock)
      if let body { add(body, to: line.tool) }
    case .send where line.number == 9 && mayFlood(line.tool):
      for _ in 0..<Self.flood { send(line.tool, as: .flood, isInside: isInside) }
    case .send: send(line.tool, isInside: isInside)
    default:
      let tool = state.withLock { state in
        if Self.hurrying.contains(line.verb) { state.known[line.tool].isHurried = true }
        return state.tools[line.tool]
      }
      tool?.perform(line.verb, line.number)
      if fault == .deliversTwice, line.verb == .flush {
        let (known, last) = state.withLock {
          ($0.known[line.tool], $0.known[line.tool].last.first)
        }
        if let last {
          handle([last.value], key: last.key, of: line.tool, known.generation)
        }
      }
    }
  }

  /// Whether thousands of new keys may come at once; a tool gets no second flood.
  private func mayFlood(_ index: Int) -> Bool {
    program.isProcess && program.tools[index].isKeyed && program.tools[index].span > 8
      && state.withLock { $0.known[index].sent < Self.flood }
  }

  private func send(_ index: Int, as verb: Program.Verb = .send, isInside: Bool) {
    let sent = state.withLock { state -> (tool: any ProgramTool, number: Int)? in
      guard let tool = state.tools[index], tool.takesValues else { return nil }
      state.sentAt.append(clock.now)
      state.known[index].sent += 1
      return (tool, state.sentAt.count - 1)
    }
    guard let sent, !(isInside && fault == .losesValuesOfHandlers) else { return }
    sent.tool.perform(verb, sent.number)
  }

  private func make(_ index: Int) {
    let generation = state.withLock { state in
      let generation = state.known[index].generation + 1
      state.known[index] = Known(start: clock.now, generation: generation)
      return generation
    }
    let tool = makeTool(program.tools[index], index, generation)
    state.withLock { $0.tools[index] = tool }
    if let body = tool.ownTask() { add(body, to: index) }
  }

  /// Runs a task where handlers run, after what is there already: one that a handler makes does
  /// not run inside it.
  private func add(_ body: @escaping ProgramTask, to tool: Int) {
    working.add()
    let task = Task(executorPreference: clock.service.manual!) { [working] in
      defer { working.add(-1) }
      try await body()
    }
    let isLate = state.withLock { state in
      guard !state.isOver else { return true }
      state.tasks[tool].append(task)
      return false
    }
    if isLate { task.cancel() }
  }

  // MARK: Handlers

  /// What the handler of a tool does: it notes the values, and takes a line.
  func handle(_ values: [Int], key: Int = 0, of index: Int, _ generation: Int) {
    let line = state.withLock { state -> Program.Line? in
      if state.known[index].generation == generation {
        state.known[index].begun += 1
        state.known[index].inside += 1
        if let violation = violation(by: values, key: key, of: index, state) {
          state.violation = "tool \(index), a \(program.tools[index].kind): \(violation)"
        }
        state.known[index].last[key] = values.last
      }
      let lines = program.reactions[index]
      guard state.reactionsLeft > 0, !lines.isEmpty else { return nil }
      state.reactionsLeft -= 1
      state.reacted[index] += 1
      return lines[state.reacted[index] % lines.count]
    }
    if let line { perform(line, isInside: true) }
    state.withLock { state in
      guard state.known[index].generation == generation else { return }
      state.known[index].inside -= 1
      state.known[index].lastEnd[key] = clock.now
    }
  }

  /// What is wrong about the beginning of a handler.
  private func violation(by values: [Int], key: Int, of index: Int, _ state: State) -> String? {
    let (tool, known) = (program.tools[index], state.known[index])
    if known.inside > 1, tool.isSerial { return "two handlers at a time" }
    var last = known.last[key] ?? -1
    for value in values {
      if value <= last { return "\(value) after \(last)" }
      last = value
    }
    guard let newest = values.last, !known.isHurried else { return nil }
    let most = tool.mostDecisions(in: known.start.duration(to: clock.now))
    if known.begun > most { return "\(known.begun) deliveries, where \(most) have a window" }
    let sent = state.sentAt[newest]
    // A value that came while a handler ran may have been merged into one that was due.
    if let end = known.lastEnd[key], end >= sent { return nil }
    let earliest = tool.earliest(of: sent, since: known.start)
    return clock.now < earliest ? "\(newest) comes before \(earliest.nanoseconds) ns" : nil
  }

  func fail(_ violation: String) {
    state.withLock { $0.violation = $0.violation ?? violation }
  }

  /// Checks the threads and the counts of some tools.
  private func check(_ indices: some Sequence<Int>) {
    if let violation = crew?.violation { fail(violation) }
    let (room, count) = (clock.service.capacity, clock.pendingCount)
    if count == 0, room > Self.spareRoom { fail("room for \(room) timers, none pends") }
    for index in indices {
      let (tool, sent) = state.withLock { ($0.tools[index], $0.known[index].sent) }
      guard let violation = tool?.violation(sent: sent) else { continue }
      fail("tool \(index), a \(program.tools[index].kind): \(violation)")
    }
  }
}
