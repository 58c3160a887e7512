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
    if !["configure", "stall"].contains(call.name) { try call.expectOnly([]) }
    let isLeaving =
      call.name == "leave" || call.name == "cancel" && scenario.isCancelledByLeaving
    switch call.name {
    case "stall":
      return try stage.stall(from: step.time, by: call)
    case "cancel", "reset", "leave":
      try stage.move(to: step.time, beforeWhatIsDue: true)
    default:
      try stage.move(to: step.time)
    }
    switch call.name {
    case _ where isLeaving: leave()
    case "cancel": outcome.returns.append(Outcome.Row(at: step.stated, tool.cancel()))
    case "flush": outcome.returns.append(Outcome.Row(at: step.stated, tool.flush()))
    case "pending":
      outcome.queries.append(Outcome.Row(at: step.stated, .flag(tool.isPending())))
    case "suspend": tool.suspend()
    case "resume": tool.resume()
    case "configure": try tool.configure(call)
    case "error":
      hasFailed = true
      tool.fail()
    case "reset":
      guard let reset = tool.reset else { throw Obstacle.missing("reset") }
      reset()
    default:
      throw Obstacle.missing(call.name)
    }
  }

  private mutating func leave() {
    consumer.cancel()
    _ = tool.cancel()
    tool.fail()
    hasLeft = true
  }
}
