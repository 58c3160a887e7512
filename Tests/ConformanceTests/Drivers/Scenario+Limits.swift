import Pacing

extension Scenario {
  /// The answers of a limit, which must not depend on whether `request` or `tryAcquire` asks.
  ///
  /// `make` builds the limit on a stage, and returns what answers a call.
  func answers(
    _ make: (_ stage: Stage, _ usesDecisions: Bool) throws -> (Call) throws -> Answer?
  ) throws -> Outcome {
    let outcome = try answers(usesDecisions: true, make)
    guard try answers(usesDecisions: false, make).rows == outcome.rows else {
      throw Obstacle.broken("request and tryAcquire disagree")
    }
    return outcome
  }

  private func answers(
    usesDecisions: Bool, _ make: (Stage, Bool) throws -> (Call) throws -> Answer?
  ) throws -> Outcome {
    let stage = Stage()
    let answer = try make(stage, usesDecisions)
    var outcome = Outcome()
    for step in steps {
      guard case .call(let call) = step.event else {
        throw Obstacle.malformed("a value for a limit")
      }
      if call.name == "stall" {
        try stage.stall(from: step.time, by: call)
        continue
      }
      try stage.move(to: step.time)
      guard let answer = try answer(call) else { continue }
      outcome.rows.append(Outcome.Row(at: step.stated, answer, step: step.index))
    }
    return outcome
  }
}
