import Pacing
import PacingTesting

/// Plays scenarios to a `KeyedRateLimiter`.
struct KeyedLimitDriver: Driver {
  func run(_ scenario: Scenario) throws -> Outcome {
    // Both ways to wait must give the same answers.
    let outcome = try play(scenario, usesTasks: false)
    guard try play(scenario, usesTasks: true).rows == outcome.rows else {
      throw Obstacle.broken("tasks and closures disagree")
    }
    return outcome
  }

  private func play(_ scenario: Scenario, usesTasks: Bool) throws -> Outcome {
    let config = scenario.config
    try config.expectOnly(["rate_per_s", "burst", "maximum_keys", "when_full"])
    let stage = Stage()
    let (rate, whenFull, clock) = (try Rate(config), try WhenFull(config), stage.clock)
    let burst = try config.required("burst", config.count("burst"))
    let maximum = try config.required("maximum_keys", config.count("maximum_keys"))
    guard let quota = try? Quota(checking: rate, burst: burst), maximum > 0 else {
      throw Obstacle.missing("rejection")
    }
    let limiter = KeyedRateLimiter<String>(
      maximumKeys: maximum, whenFull: whenFull, clock: clock
    ) { _ in quota }
    let record = Record(stage.clock)
    var waiters = [String: Waiters]()
    for step in scenario.steps {
      guard case .call(let call) = step.event else {
        throw Obstacle.malformed("a value for a limit")
      }
      if call.name == "stall" {
        try stage.stall(from: step.time, by: call)
        continue
      }
      try stage.move(to: step.time)
      if call.name == "join" {
        let key = try call.required("key", call.arguments["key"]?.text)
        let callers =
          waiters[key]
          ?? Waiters(on: stage, usesTasks: usesTasks, record: record) { cost, timeout, completion in
            limiter.acquire(cost, for: key, within: timeout) { completion($0.map { _ in nil }) }
          } acquire: { cost, timeout in
            try await limiter.acquire(cost, for: key, within: timeout)
            return nil
          }
        waiters[key] = callers
        _ = try callers.play(call)
        continue
      }
      let answer = try Self.answer(call, limiter)
      stage.settle()
      record.note(answer)
    }
    try stage.wakeUp()
    try stage.play(until: scenario.horizon)
    var outcome = Outcome()
    outcome.rows = Waiters.rows(record, inTheOrderOf: scenario.asked, unit: config.unit)
    return outcome
  }

  private static func answer(_ call: Call, _ limiter: KeyedRateLimiter<String>) throws -> Answer {
    if call.name == "statistics" {
      try call.expectOnly([])
      return .fields(["forgotten": .count(limiter.forgottenCount)])
    }
    try call.expectOnly(["key", "n"])
    let key = try call.required("key", call.arguments["key"]?.text)
    let cost = try call.cost
    switch call.name {
    case "allow": return .flag(limiter.tryAcquire(cost, for: key))
    case "request":
      let look = limiter.peek(cost, for: key)
      let decision = limiter.request(cost, for: key)
      guard look == decision else { throw Obstacle.broken("peek and request disagree") }
      guard !decision.isAllowed else { return .fields(["allowed": .flag(true)]) }
      guard let wait = decision.retryAfter else {
        return .fields(["allowed": .flag(false), "retry_after": .nothing])
      }
      let isByTable = decision.refusedBy == Limit.Name.table
      return .fields([
        "allowed": .flag(false), "by": .text(isByTable ? "table" : "key"),
        "retry_after": .span(Nanoseconds(roundingUp: wait)),
      ])
    default: throw Obstacle.missing(call.name)
    }
  }
}

extension WhenFull {
  fileprivate init(_ config: Settings) throws(Obstacle) {
    switch try config.word("when_full") {
    case nil, "forget": self = .makeRoom
    case "refuse": self = .refuse
    case let other?: throw .missing("when-full-\(other)")
    }
  }
}
