import Pacing
import PacingTesting

/// Plays scenarios of leaky buckets to token buckets.
///
/// Each has a burst of the slack plus one, and starts with one token. Callers wait in FIFO order.
struct LeakyDriver: Driver {
  let features: Set = ["unlimited"]

  func run(_ scenario: Scenario) throws -> Outcome {
    let queue = LeakyQueue(try LeakyQueue.buckets(scenario.config))
    var isCounting = scenario.countsTakes
    for step in scenario.steps {
      guard case .call(let call) = step.event else {
        throw Obstacle.malformed("a value for a bucket")
      }
      try queue.stage.move(to: step.time, beforeWhatIsDue: call.name == "cancel")
      switch call.name {
      case "greedy":
        try queue.circulate(call)
        isCounting = true
      case "take":
        try call.expectOnly(["through"])
        try queue.take(call) { Outcome.Row(at: $0, .span(0), step: step.index) }
      default:
        guard let answer = try queue.answer(call) else { continue }
        queue.served.add(Outcome.Row(at: step.stated, answer, step: step.index))
      }
    }
    guard isCounting else {
      try queue.stage.play(until: nil)
      return Outcome(rows: queue.rows)
    }
    let times = scenario.asked.compactMap { $0.key.flatMap(scenario.config.unit.nanoseconds) }
    return Outcome(rows: try queue.rounds(before: times))
  }
}

extension Scenario {
  /// Whether the answer counts the single takes that returned before a time; otherwise each take
  /// has a row whose answer is zero.
  fileprivate var countsTakes: Bool {
    let areTakes = steps.allSatisfy { step in
      if case .call(let call) = step.event { call.name == "take" } else { false }
    }
    return areTakes && asked.contains { ($0.answer.double ?? 0) > 0 }
  }
}
