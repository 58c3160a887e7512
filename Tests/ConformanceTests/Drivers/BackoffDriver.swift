import Pacing

/// Plays scenarios to a `Backoff`: the delays at the attempts that a case asks about, or one by
/// one.
struct BackoffDriver: Driver {
  let features: Set = ["delay-list"]

  /// Larger than the number of any delay in a scenario.
  private static let limit = 1_000_000

  func run(_ scenario: Scenario) throws -> Outcome {
    let calls = try scenario.steps.map { step throws(Obstacle) in
      guard case .call(let call) = step.event else { throw .malformed("a value for a backoff") }
      return call
    }
    if scenario.asks("create") { throw Obstacle.missing("rejection") }
    let settings = try BackoffSettings(scenario.config)
    if scenario.asks("property") {
      return try BackoffProperty(scenario.id).check(settings.backoff())
    }
    guard calls.isEmpty else { return Outcome(rows: try play(scenario, settings)) }
    let samples = try scenario.config.count("samples") ?? 200
    return Outcome(
      rows: try scenario.asked.map { row throws(Obstacle) in
        try self.row(row, of: settings, samples: samples)
      })
  }

  /// The extremes, some draws between them, and draws of seeded runs; only the last if the case
  /// specifies a mean.
  private func row(
    _ row: ExpectedRow, of settings: BackoffSettings, samples: Int
  ) throws(Obstacle) -> Outcome.Row {
    // A bare answer is for an attempt far past the cap.
    let number = row.key?.count ?? 64
    guard (1...Self.limit).contains(number) else { throw .malformed("the delay number \(number)") }
    var last = [Nanoseconds?]()
    if row.answer.members?["mean"] == nil {
      for draw in [0, 0.25, 0.5, 0.75, 1] {
        var delays = BackoffDelays(settings.backoff())
        last.append((1...number).reduce(nil) { _, _ in delays.next(draw: draw) })
      }
    }
    for seed in 0..<max(1, min(samples, Self.limit / number)) {
      var delays = BackoffDelays(settings.backoff(seed: UInt64(seed)))
      last.append((1...number).reduce(nil) { _, _ in delays.nextDelay() })
    }
    let draws = last.compactMap(\.self)
    let refusal = settings.policy.refusal(afterAttempt: number, elapsed: 0, delay: 0)
    guard refusal == nil, draws.count == last.count else {
      return Outcome.Row(number, .text("stop"))
    }
    return Outcome.Row(number, .draws(draws))
  }

  private func play(
    _ scenario: Scenario, _ settings: BackoffSettings
  ) throws(Obstacle) -> [Outcome.Row] {
    var rows = [Outcome.Row]()
    var delays = BackoffDelays(settings.backoff())
    var number = 1
    // The limit counts from time zero, or from the latest reset.
    var start: Nanoseconds = 0
    for step in scenario.steps {
      guard case .call(let call) = step.event else { continue }
      switch call.name {
      case "next":
        try call.expectOnly(["random", "attempt"])
        if let attempt = try call.count("attempt") {
          guard attempt < Self.limit else { throw .malformed("the attempt number \(attempt)") }
          delays.reset()
          for _ in 1..<max(1, attempt) { _ = delays.nextDelay() }
          number = max(1, attempt)
        }
        let draw = try call.number("random")
        if let draw, !(0...1).contains(draw) { throw .malformed("next.random is \(draw)") }
        let next = draw.map { delays.next(draw: $0) } ?? delays.nextDelay()
        let refusal = next.map {
          settings.policy.refusal(
            afterAttempt: number, elapsed: step.time.adding(start.negated), delay: $0)
        }
        guard let next, case .some(nil) = refusal else {
          rows.append(Outcome.Row(number, .text("stop")))
          continue
        }
        rows.append(Outcome.Row(number, .span(next)))
        number += 1
      case "reset":
        try call.expectOnly([])
        delays.reset()
        number = 1
        start = step.time
      default:
        throw .missing(call.name)
      }
    }
    return rows
  }
}
