import Pacing
import PacingTesting

/// Plays scenarios to a `TokenBucket`, or to a `RateLimiter` with several buckets.
struct TokenBucketDriver: Driver {
  let features: Set = ["take-available", "unlimited", "pay-next"]

  func run(_ scenario: Scenario) throws -> Outcome {
    if let limits = try BucketSettings.limits(scenario) { return try play(scenario, limits) }
    let settings = try BucketSettings(scenario)
    return try scenario.answers { stage, usesDecisions in
      let asker = BucketAsker(
        bucket: settings.bucket(on: stage), burst: settings.burst, stage: stage,
        usesDecisions: usesDecisions, burstTime: settings.burstTime)
      return { try asker.answer($0) }
    }
  }

  private func play(_ scenario: Scenario, _ limits: [Limit]) throws -> Outcome {
    let capacity = limits.map(\.capacity).min() ?? 0
    return try scenario.answers { stage, usesDecisions in
      if limits.isEmpty { throw Obstacle.missing("rejection") }
      let limiter = RateLimiter(limits, clock: stage.clock)
      let asker = LimitAsker(limiter, on: stage, usesDecisions: usesDecisions)
      return { try asker.answer($0, capacity: capacity) }
    }
  }
}
