import Pacing
import PacingTesting

/// Plays scenarios to a `RateLimiter` with one window.
struct WindowDriver: Driver {
  let isSliding: Bool

  func run(_ scenario: Scenario) throws -> Outcome {
    let limit = try limit(scenario.config)
    return try scenario.answers { stage, usesDecisions in
      let limiter = RateLimiter(limit, clock: stage.clock)
      let asker = LimitAsker(limiter, on: stage, usesDecisions: usesDecisions)
      return { call in
        if try call.flag("over_burst") ?? false { throw Obstacle.missing("over_burst") }
        return try asker.answer(call, capacity: limit.capacity)
      }
    }
  }

  private func limit(_ config: Settings) throws(Obstacle) -> Limit {
    guard config.values["debt"] != .bool(true) else { throw .missing("window_reservation") }
    try config.expectOnly(["limit", "window", "window_starts", "debt"])
    let count = try config.required("limit", config.count("limit"))
    let window = try config.required("window", config.duration("window"))
    guard count > 0, window > .zero else { throw .missing("rejection") }
    if isSliding { return .slidingWindow(count, per: window) }
    return try .fixedWindow(count, per: window, fromCreation: isAligned(config))
  }

  private func isAligned(_ config: Settings) throws(Obstacle) -> Bool {
    switch try config.word("window_starts") {
    case nil, "first_event": false
    case "aligned_to_creation": true
    case let other?: throw .missing("window_starts-\(other)")
    }
  }
}
