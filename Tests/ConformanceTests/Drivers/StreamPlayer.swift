import Pacing
import PacingTesting

/// Plays a scenario to a stream tool: values, calls, the end, and stalls during which no timer runs.
struct StreamPlayer {
  private let scenario: Scenario
  private let stage = Stage()
  private let handled: Record
  private let streamed: Record
  private let replies: Replies
  private let tool: StreamTool
  private let consumer: Task<Void, Never>

  private var outcome = Outcome()
  /// Until then no timer runs.
  private var stalledUntil: Nanoseconds?
  private var hasLeft = false
  private var hasFailed = false

  /// Makes the tool with `build`, which is given a handler to pass on to it, and listens to it.
  init(
    _ scenario: Scenario,
    build: (ManualClock, @escaping @Sendable (Answer) -> Void) throws -> StreamTool
  ) throws {
    let handled = Record(stage.clock)
    let streamed = Record(stage.clock)
    let replies = try Replies(scenario.config)
    tool = try build(stage.clock) { answer in
      handled.note(answer)
      replies.reply(to: answer)
    }
    replies.connect(tool.send)
    let ticks = tool.ticks
    consumer = stage.start {
      for await answer in ticks { streamed.note(answer) }
      streamed.noteEnd()
    }
    stage.settle()
    self.scenario = scenario
    self.handled = handled
    self.streamed = streamed
    self.replies = replies
  }

  /// Plays everything, and says what happened.
  mutating func play() throws -> Outcome {
    defer { replies.connect(nil) }
    let end = scenario.end ?? .never
    let early = scenario.steps.prefix { $0.time <= end }
    for step in early { try play(step) }
    if let end = scenario.end, !hasLeft {
      try move(to: end)
      tool.finish()
      stage.settle()
    }
    for step in scenario.steps.dropFirst(early.count) { try play(step) }
    try wakeUp()
    try stage.play(until: scenario.horizon)
    outcome.rows = handled.all
    outcome.streamed = streamed.all
    if let end = streamed.end, !hasLeft {
      outcome.end = Outcome.Row(at: end, .text(hasFailed ? "error" : "complete"))
    }
    return outcome
  }

  private mutating func play(_ step: Step) throws {
    guard !hasLeft else { return }
    switch step.event {
    case .value(let value):
      try move(to: step.time)
      tool.send(value)
    case .call(let call):
      try play(call, at: step)
    }
    stage.settle()
  }

  private mutating func play(_ call: Call, at step: Step) throws {
    if call.name != "configure" { try call.expectOnly(call.name == "stall" ? ["until"] : []) }
    switch call.name {
    case "stall":
      let until = try call.required("until", call.nanoseconds("until"))
      try move(to: step.time, beforeWhatIsDue: true)
      stalledUntil = max(until, stalledUntil ?? until)
    case "cancel" where scenario.isCancelledByLeaving, "leave":
      try move(to: step.time, beforeWhatIsDue: true)
      consumer.cancel()
      _ = tool.cancel?()
      tool.fail()
      hasLeft = true
    case "cancel":
      let cancel = try verb(tool.cancel, call)
      try move(to: step.time, beforeWhatIsDue: true)
      outcome.returns.append(Outcome.Row(at: step.stated, cancel()))
    case "reset":
      let reset = try verb(tool.reset, call)
      try move(to: step.time, beforeWhatIsDue: true)
      reset()
    case "flush":
      let flush = try verb(tool.flush, call)
      try move(to: step.time)
      outcome.returns.append(Outcome.Row(at: step.stated, flush()))
    case "pending":
      let isPending = try verb(tool.isPending, call)
      try move(to: step.time)
      outcome.queries.append(Outcome.Row(at: step.stated, .flag(isPending())))
    case "configure":
      let configure = try verb(tool.configure, call)
      try move(to: step.time)
      try configure(call)
    case "error":
      try move(to: step.time)
      hasFailed = true
      tool.fail()
    default:
      throw Obstacle.missing(call.name)
    }
  }

  private func verb<Verb>(_ verb: Verb?, _ call: Call) throws(Obstacle) -> Verb {
    guard let verb else { throw .missing(call.name) }
    return verb
  }

  // MARK: Time

  /// Moves time on, after or before what is due then; in a stall the calls find out themselves.
  private mutating func move(to time: Nanoseconds, beforeWhatIsDue: Bool = false) throws {
    if let until = stalledUntil {
      let isOver = beforeWhatIsDue ? time > until : time >= until
      guard isOver else { return stage.lapse(to: time) }
      try wakeUp()
    }
    if beforeWhatIsDue { try stage.approach(time) } else { try stage.advance(to: time) }
  }

  /// Ends a stall: the timers that it kept waiting run now.
  private mutating func wakeUp() throws {
    guard let until = stalledUntil else { return }
    stalledUntil = nil
    stage.lapse(to: until)
    try stage.advance(to: until)
  }
}
