import Pacing
import PacingTesting

/// Plays scenarios to a `RateLimiter` with one window.
struct WindowDriver: Driver {
  let isSliding: Bool

  func run(_ scenario: Scenario) throws -> Outcome {
    let limit = try limit(scenario.config)
    // Both ways to ask must give the same answers.
    let outcome = try play(scenario, limit, usesDecisions: true)
    guard try play(scenario, limit, usesDecisions: false).rows == outcome.rows else {
      throw Obstacle.broken("request and tryAcquire disagree")
    }
    return outcome
  }

  private func limit(_ config: Settings) throws(Obstacle) -> Limit {
    guard config.values["debt"] != .bool(true) else { throw .missing("window_reservation") }
    try config.expectOnly(["limit", "window", "window_starts", "debt"])
    let count = try config.required("limit", config.count("limit"))
    let window = try config.required("window", config.duration("window"))
    do {
      if isSliding { return try .slidingWindow(validating: count, per: window) }
      return try .fixedWindow(validating: count, per: window, from: start(config))
    } catch let obstacle as Obstacle {
      throw obstacle
    } catch {
      throw .missing("rejection")
    }
  }

  private func start(_ config: Settings) throws(Obstacle) -> WindowStart {
    switch try config.word("window_starts") {
    case nil, "first_event": .firstEvent
    case "aligned_to_creation": .creation
    case let other?: throw .missing("window_starts-\(other)")
    }
  }

  private func play(
    _ scenario: Scenario, _ limit: Limit, usesDecisions: Bool
  ) throws -> Outcome {
    let stage = Stage()
    let limiter = RateLimiter(limit, clock: stage.clock)
    var outcome = Outcome()
    for step in scenario.steps {
      guard case .call(let call) = step.event else {
        throw Obstacle.malformed("a value for a limit")
      }
      try stage.advance(to: step.time)
      let answer = try answer(call, limiter, limit.capacity, stage, usesDecisions: usesDecisions)
      outcome.rows.append(Outcome.Row(at: step.stated, answer, step: step.index))
    }
    return outcome
  }

  private func answer(
    _ call: Call, _ limiter: RateLimiter, _ capacity: Int, _ stage: Stage, usesDecisions: Bool
  ) throws -> Answer {
    switch call.name {
    case "allow":
      try call.expectOnly(["n", "report"])
      let cost = try cost(call)
      let decision = usesDecisions ? limiter.request(cost) : limiter.peek(cost)
      if !usesDecisions, limiter.tryAcquire(cost) != decision.isAllowed {
        throw Obstacle.broken("peek and tryAcquire disagree")
      }
      let reportsRemaining = call.arguments["report"] == .string("remaining")
      guard decision.isAllowed else {
        return decision.retryAfter == nil ? .exceedsBurst(capacity) : .flag(false)
      }
      return reportsRemaining ? .count(decision.remaining) : .flag(true)
    case "tokens", "remaining":
      try call.expectOnly([])
      return .count(limiter.available)
    case "wait_time":
      try call.expectOnly(["n"])
      return limiter.peek(try cost(call)).retryAfter.map { .span(Nanoseconds(roundingUp: $0)) }
        ?? .text("never")
    case "wait":
      try call.expectOnly(["n", "deadline", "cancel_at", "cancelled"])
      let deadline = try call.nanoseconds("deadline")
      let isCancelled = call.arguments["cancelled"] == .bool(true)
      let wait = try BlockingAcquire(
        limiter, cost: cost(call), within: deadline.map { max(0, $0.adding(-stage.now)) },
        cancelledAt: isCancelled ? stage.now : call.nanoseconds("cancel_at"),
        beforeItBegins: isCancelled, on: stage)
      return .fields(["ok": .flag(wait.isGranted), "waited": .span(wait.waited)])
    case "acquire":
      try call.expectOnly(["n"])
      let wait = try BlockingAcquire(limiter, cost: cost(call), on: stage)
      return wait.isGranted ? .span(wait.waited) : .text("refused")
    case "try_acquire":
      try call.expectOnly(["n", "max_wait"])
      let limit = try call.required("max_wait", call.nanoseconds("max_wait"))
      return .flag(
        try BlockingAcquire(limiter, cost: cost(call), within: max(0, limit), on: stage).isGranted)
    case "take_available":
      try call.expectOnly(["n"])
      return .count(limiter.take(upTo: try cost(call)))
    case "reserve", "cancel": throw Obstacle.missing("window_reservation")
    case "create": throw Obstacle.missing("rejection")
    default: throw Obstacle.missing(call.name)
    }
  }

  private func cost(_ call: Call) throws(Obstacle) -> Int {
    let cost = try call.required("n", call.count("n"))
    guard cost >= 0 else { throw .missing("rejection") }
    return cost
  }
}
