import Pacing
import PacingTesting

/// Plays scenarios to `retry`: failing attempts, or whether another attempt follows.
struct RetryDriver: Driver {
  let features: Set = ["stop-all", "retry-quota", "delay-list"]

  private static let keys: Set = [
    "attempt_duration", "max_retries", "max_attempts", "delays", "count", "stop", "max_elapsed",
    "counts_upcoming_sleep",
  ]

  func run(_ scenario: Scenario) throws -> Outcome {
    let config = scenario.config
    if config.has("quota") { return try QuotaRun(config).play(scenario.steps) }
    if config.has("policy") { return try HintRun(config).play(scenario) }
    try config.expectOnly(Self.keys)
    if let count = try config.count("count") {
      return Outcome(rows: [try attempts(atMost: count)])
    }
    if config.has("delays") || config.has("attempt_duration") { return try fail(scenario) }
    return Outcome(rows: try scenario.steps.map { try shouldStop($0, config) })
  }

  // MARK: Attempts that fail

  private func fail(_ scenario: Scenario) throws -> Outcome {
    let config = scenario.config
    let run = RetryRun(
      try RetryPolicy(limits: config, after: Backoff(delays: config)),
      duration: try config.duration("attempt_duration") ?? .zero)
    for step in scenario.steps {
      guard case .call(let call) = step.event, ["cancel", "leave"].contains(call.name) else {
        throw Obstacle.missing("response")
      }
      try run.cancel(at: step.time)
    }
    return try run.play(until: scenario.horizon)
  }

  /// The number of attempts that a policy makes.
  private func attempts(atMost count: Int) throws -> Outcome.Row {
    let policy = try RetryPolicy(.none, maximumAttempts: count)
    let outcome = try RetryRun(policy, duration: .zero).play(until: nil)
    return Outcome.Row(count, .count(outcome.rows.count))
  }

  // MARK: One decision

  private static func stop(_ config: Settings) throws(Obstacle) -> RetryPolicy.Stop {
    switch try config.word("stop") {
    case nil, "any", "never": .any
    case "all": .all
    default: throw .missing("stop")
    }
  }

  /// Whether another attempt follows one that ends at the step's time, given the attempts before
  /// it.
  private func shouldStop(_ step: Step, _ config: Settings) throws -> Outcome.Row {
    guard case .call(let call) = step.event, call.name == "should_stop" else {
      throw Obstacle.missing("response")
    }
    try call.expectOnly(["attempt", "upcoming_sleep"])
    let before = max(1, try call.count("attempt") ?? 1) - 1
    let delay = Duration(nanoseconds: try call.nanoseconds("upcoming_sleep") ?? 0)
    let policy = try RetryPolicy(
      Backoff(constantOrNone: delay),
      maximumAttempts: config.maximumAttempts.map { max(1, $0.adding(-before)) },
      maximumDuration: config.duration("max_elapsed"), stop: Self.stop(config))
    let run = RetryRun(
      policy, duration: Duration(nanoseconds: step.stated), succeedsAtAttempt: 2)
    let outcome = try run.play(until: nil)
    return Outcome.Row(at: step.stated, .flag(outcome.rows.count < 2), step: step.index)
  }
}
