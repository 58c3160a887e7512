import Pacing
import PacingTesting

/// Plays a scenario to a stream tool: values, calls, the end, and stalls in which no timer runs.
struct StreamPlayer {
  private let scenario: Scenario
  private let stage = Stage()
  private let handled: Record
  private let streamed: Record
  private let replies: Replies
  private let tool: StreamTool
  private let consumer: Task<Void, Never>

  private var outcome = Outcome()
  private var hasLeft = false
  private var hasFailed = false

  /// Makes the tool with `build`, which receives the tool's handler, and observes it.
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

  /// Plays the whole scenario, and returns what happened.
  mutating func play() throws -> Outcome {
    defer { replies.connect(nil) }
    let end = scenario.end ?? .never
    let early = scenario.steps.prefix { $0.time <= end }
    for step in early { try play(step) }
    if let end = scenario.end, !hasLeft {
      try stage.move(to: end)
      tool.finish()
      stage.settle()
    }
    for step in scenario.steps.dropFirst(early.count) { try play(step) }
    try stage.wakeUp()
    try stage.play(until: scenario.horizon)
    try replies.expectAnEnd()
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
      try stage.move(to: step.time)
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
      try stage.stall(from: step.time, by: call)
    case "cancel" where scenario.isCancelledByLeaving, "leave":
      try stage.move(to: step.time, beforeWhatIsDue: true)
      consumer.cancel()
      _ = tool.cancel?()
      tool.fail()
      hasLeft = true
    case "cancel":
      let cancel = try verb(tool.cancel, call)
      try stage.move(to: step.time, beforeWhatIsDue: true)
      outcome.returns.append(Outcome.Row(at: step.stated, cancel()))
    case "reset":
      let reset = try verb(tool.reset, call)
      try stage.move(to: step.time, beforeWhatIsDue: true)
      reset()
    case "flush":
      let flush = try verb(tool.flush, call)
      try stage.move(to: step.time)
      outcome.returns.append(Outcome.Row(at: step.stated, flush()))
    case "pending":
      let isPending = try verb(tool.isPending, call)
      try stage.move(to: step.time)
      outcome.queries.append(Outcome.Row(at: step.stated, .flag(isPending())))
    case "configure":
      let configure = try verb(tool.configure, call)
      try stage.move(to: step.time)
      try configure(call)
    case "error":
      try stage.move(to: step.time)
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
}
