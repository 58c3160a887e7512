import Pacing
import PacingTesting

/// Plays a scenario to an operator: its upstream, stalls, and a consumer that leaves.
struct OperatorPlayer {
  private struct Fault: Error {}

  private let scenario: Scenario
  private let stage = Stage()
  private let input: AsyncThrowingStream<String, any Error>.Continuation
  private let taken: Record
  private let failed: Record
  private let consumer: Task<Void, Never>
  private var hasLeft = false

  /// Builds the operator, and takes at most `limit` elements.
  init(_ scenario: Scenario, taking limit: Int, _ operate: OperatorDriver.Operate) {
    let taken = Record(stage.clock)
    let failed = Record(stage.clock)
    let (source, input) = AsyncThrowingStream.makeStream(of: String.self)
    let operated = operate(source, stage.clock)
    consumer = stage.start {
      do {
        var left = limit
        for try await answer in operated {
          taken.note(answer)
          left -= 1
          if left == 0 { break }
        }
        taken.noteEnd()
      } catch {
        failed.noteEnd()
      }
    }
    stage.settle()
    self.scenario = scenario
    self.input = input
    self.taken = taken
    self.failed = failed
  }

  /// Plays the whole scenario, and returns what happened.
  mutating func play() throws -> Outcome {
    let end = scenario.end ?? .never
    let early = scenario.steps.prefix { $0.time <= end }
    for step in early { try play(step) }
    if let end = scenario.end, !hasLeft {
      try stage.move(to: end)
      input.finish()
      stage.settle()
    }
    for step in scenario.steps.dropFirst(early.count) { try play(step) }
    try stage.wakeUp()
    try stage.play(until: scenario.horizon)
    var outcome = Outcome(rows: taken.all)
    if hasLeft { return outcome }
    outcome.end =
      taken.end.map { Outcome.Row(at: $0, .text("complete")) }
      ?? failed.end.map { Outcome.Row(at: $0, .text("error")) }
    return outcome
  }

  private mutating func play(_ step: Step) throws {
    guard !hasLeft else { return }
    switch step.event {
    case .value(let value):
      try stage.move(to: step.time)
      input.yield(value)
    case .call(let call):
      try play(call, at: step)
    }
    stage.settle()
  }

  private mutating func play(_ call: Call, at step: Step) throws {
    if call.name != "stall" { try call.expectOnly([]) }
    switch call.name {
    case "stall":
      try stage.stall(from: step.time, by: call)
    case "cancel" where scenario.isCancelledByLeaving, "leave":
      try stage.move(to: step.time, beforeWhatIsDue: true)
      hasLeft = true
      consumer.cancel()
    case "error":
      try stage.move(to: step.time)
      input.finish(throwing: Fault())
    default:
      // A sequence has no such call.
      throw Obstacle.missing(call.name)
    }
  }
}
