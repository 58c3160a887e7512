import Pacing
import PacingTesting

/// Plays scenarios to a `TokenBucket`.
struct TokenBucketDriver: Driver {
  let features: Set = ["take-available", "stepwise", "unlimited", "pay-next", "over-burst"]

  func run(_ scenario: Scenario) throws -> Outcome {
    let settings = try BucketSettings(scenario)
    // Both ways to ask for tokens must give the same answers.
    let outcome = try play(scenario, settings, usesDecisions: true)
    guard try play(scenario, settings, usesDecisions: false).rows == outcome.rows else {
      throw Obstacle.broken("request and tryAcquire disagree")
    }
    return outcome
  }

  private func play(
    _ scenario: Scenario, _ settings: BucketSettings, usesDecisions: Bool
  ) throws -> Outcome {
    let stage = Stage()
    let asker = BucketAsker(
      bucket: settings.bucket(on: stage), burst: settings.burst, stage: stage,
      usesDecisions: usesDecisions, burstSeconds: settings.burstSeconds)
    var outcome = Outcome()
    for step in scenario.steps {
      guard case .call(let call) = step.event else {
        throw Obstacle.malformed("a value for a bucket")
      }
      try stage.advance(to: step.time)
      guard let answer = try asker.answer(call) else { continue }
      outcome.rows.append(Outcome.Row(at: step.stated, answer, step: step.index))
    }
    return outcome
  }
}
