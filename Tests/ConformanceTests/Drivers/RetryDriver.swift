import Pacing
import PacingTesting

/// Plays scenarios to `retry`: failing attempts, or whether another attempt follows.
struct RetryDriver: Driver {
  let features: Set = ["retry-quota", "delay-list"]

  private static let keys: Set = [
    "max_retries", "max_attempts", "count", "stop", "max_elapsed", "counts_upcoming_sleep",
  ]

  func run(_ scenario: Scenario) throws -> Outcome {
    let config = scenario.config
    if config.has("quota") { return try QuotaRun(config).play(scenario.steps) }
    guard scenario.asks("should_stop") || config.has("count") else {
      return try FailingRun(config).play(scenario)
    }
    try config.expectOnly(Self.keys)
    if let count = try config.count("count") {
      return Outcome(rows: [try attempts(atMost: count)])
    }
    return Outcome(rows: try scenario.steps.map { try shouldStop($0, config) })
  }

  /// The number of attempts that a policy makes.
  private func attempts(atMost count: Int) throws -> Outcome.Row {
    let policy = try RetryPolicy(.none, maximumAttempts: count)
    return Outcome.Row(count, .count(try RetryRun(policy, duration: .zero).attempts()))
  }

  /// Whether another attempt follows one that ends at the step's time, given the attempts before
  /// it.
  private func shouldStop(_ step: Step, _ config: Settings) throws -> Outcome.Row {
    guard case .call(let call) = step.event, call.name == "should_stop" else {
      throw Obstacle.missing("response")
    }
    try call.expectOnly(["attempt", "upcoming_sleep"])
    // A delay that would outlast the limit is not begun.
    if try config.flag("counts_upcoming_sleep") == false {
      throw Obstacle.missing("counts_upcoming_sleep")
    }
    let before = max(1, try call.count("attempt") ?? 1) - 1
    let delay = Duration.nanoseconds(try call.nanoseconds("upcoming_sleep") ?? 0)
    try config.expectAnyLimitStops()
    let policy = try RetryPolicy(
      Backoff(constantOrNone: delay),
      maximumAttempts: config.maximumAttempts.map { max(1, $0.adding(-before)) },
      maximumDuration: config.duration("max_elapsed"))
    let run = RetryRun(
      policy, duration: Duration.nanoseconds(step.stated), succeedsAtAttempt: 2)
    return Outcome.Row(at: step.stated, .flag(try run.attempts() < 2), step: step.index)
  }
}
