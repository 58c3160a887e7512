import Pacing
import PacingTesting
import TestSupport

/// Plays a scenario to an operator: what its upstream does, stalls, and a consumer that leaves.
struct OperatorPlayer {
  private struct Fault: Error {}

  private let scenario: Scenario
  private let stage = Stage()
  private let source = Source<String, any Error>()
  private let taken: Record
  private let ending = Slot<String>()
  private let consumer: Task<Void, Never>
  private var hasLeft = false

  /// Builds the operator, and takes everything from it that comes, or the first so many.
  init(_ scenario: Scenario, taking limit: Int, _ operate: OperatorDriver.Operate) {
    let taken = Record(stage.clock)
    let operated = operate(source, stage.clock)
    consumer = stage.start { [ending] in
      do {
        var left = limit
        for try await answer in operated {
          taken.note(answer)
          left -= 1
          if left == 0 { break }
        }
        ending.put("complete")
      } catch {
        ending.put("error")
      }
      taken.noteEnd()
    }
    stage.settle()
    self.scenario = scenario
    self.taken = taken
  }

  /// Plays everything, and says what happened.
  mutating func play() async throws -> Outcome {
    let end = scenario.end ?? .never
    for step in scenario.steps where step.time <= end { try await play(step) }
    if let end = scenario.end, !hasLeft {
      try stage.move(to: end)
      await source.finish()
      stage.settle()
    }
    try stage.wakeUp()
    try stage.play(until: scenario.horizon)
    var outcome = Outcome(rows: taken.all)
    if let end = taken.end, let kind = ending.value, !hasLeft {
      outcome.end = Outcome.Row(at: end, .text(kind))
    }
    return outcome
  }

  private mutating func play(_ step: Step) async throws {
    guard !hasLeft else { return }
    switch step.event {
    case .value(let value):
      try stage.move(to: step.time)
      await source.send(value)
    case .call(let call):
      try await play(call, at: step)
    }
    stage.settle()
  }

  private mutating func play(_ call: Call, at step: Step) async throws {
    try call.expectOnly(call.name == "stall" ? ["until"] : [])
    switch call.name {
    case "stall":
      try stage.stall(from: step.time, by: call)
    case "cancel" where scenario.isCancelledByLeaving, "leave":
      try stage.move(to: step.time, beforeWhatIsDue: true)
      hasLeft = true
      consumer.cancel()
    case "error":
      try stage.move(to: step.time)
      await source.finish(throwing: Fault())
    default:
      // A sequence has no such call.
      throw Obstacle.missing(call.name)
    }
  }
}
