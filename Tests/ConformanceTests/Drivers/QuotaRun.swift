import Pacing
import PacingTesting

/// Calls of `retry` that share a quota, with the responses of a case for their attempts.
///
/// A call follows the end of the one before. The input's times number the steps. The separate
/// backoff of a throttled response is passed as the delay that the server names; the backoff is a
/// lower bound of named delays, as in the source. `random` is the share of a delay that every draw
/// gives.
struct QuotaRun {
  private static let keys: Set = [
    "policy", "base", "factor", "max", "random", "max_attempts", "quota", "quota_cost",
    "quota_cost_throttle", "throttle_base", "quota_refund_on_success",
  ]

  /// A failure, as the source names it.
  private struct Response: RetryAdvising {
    let retryAdvice: RetryAdvice?
  }

  private let backoff: Backoff
  private let throttled: Backoff
  private let maximumAttempts: Int?
  private let budget: RetryBudget
  private let throttleCost: Int

  init(_ config: Settings) throws(Obstacle) {
    try config.expectOnly(Self.keys)
    guard try config.word("policy") == "exponential" else { throw .missing("policy") }
    backoff = try Self.backoff(config, base: "base")
    throttled = try Self.backoff(config, base: "throttle_base")
    maximumAttempts = try config.maximumAttempts
    throttleCost = try config.required("quota_cost_throttle", config.count("quota_cost_throttle"))
    budget = RetryBudget(
      capacity: try config.required("quota", config.count("quota")),
      cost: try config.required("quota_cost", config.count("quota_cost")))
  }

  private static func backoff(_ config: Settings, base: String) throws(Obstacle) -> Backoff {
    let draw = try config.number("random") ?? 1
    guard (0...1).contains(draw) else { throw .malformed("config.random is \(draw)") }
    let cap = try config.duration("max").map { $0 * draw }
    let base = try config.required(base, config.duration(base)) * draw
    let factor = try config.number("factor") ?? 2
    do {
      let backoff = try Backoff.checked(exponential: base, factor: factor)
      return try cap.map(backoff.checked(cap:)) ?? backoff
    } catch {
      throw .missing("rejection")
    }
  }

  func play(_ steps: [Step]) throws(Obstacle) -> Outcome {
    guard let last = steps.last else { throw .malformed("a retry without responses") }
    for step in steps { _ = try response(step, to: 1) }
    let stage = Stage()
    let record = Record(stage.clock)
    // The number of steps before the current call.
    let past = Locked(0)
    let step: @Sendable (Int) -> Step = { attempt in
      let index = past.withLock { $0 } + attempt - 1
      return index < steps.count ? steps[index] : last
    }
    let policy = try RetryPolicy(backoff, maximumAttempts: maximumAttempts) { end in
      let outcome = end.reason == .budget ? "quota_exceeded" : "max_attempts"
      note(outcome, nil, at: step(end.attempts), in: record)
    }
    .sharing(budget)
    .afterAttempt { report in
      let step = step(report.attempt.number)
      if report.isSuccess { note("done", nil, at: step, in: record) }
      if let next = report.next { note("retry", next.delay, at: step, in: record) }
    }
    stage.start { [clock = stage.clock] in
      // A response after the end of a call is that of the next call's first attempt.
      while past.withLock({ $0 }) < steps.count {
        let attempts = Locked(0)
        try? await retry(policy, clock: clock) { attempt in
          let isLast = past.withLock { $0 + attempt.number > steps.count }
          // An attempt without a response does not end.
          if isLast { try await clock.sleep(until: .distantFuture) }
          attempts.withLock { $0 = attempt.number }
          if let failure = try response(step(attempt.number), to: attempt.number) { throw failure }
        }
        past.withLock { past in past += attempts.withLock { $0 } }
      }
    }
    try stage.play(until: nil)
    return Outcome(rows: record.all)
  }

  private func note(_ outcome: String, _ delay: Duration?, at step: Step, in record: Record) {
    var fields: [String: Answer] = [
      "outcome": .text(outcome), "quota": .count(budget.available),
    ]
    if let delay { fields["delay"] = .span(Nanoseconds(wait: delay)) }
    record.add(Outcome.Row(at: step.stated, .fields(fields), step: step.index))
  }

  /// The failure of a call's attempt in a step; nil for a success.
  private func response(_ step: Step, to attempt: Int) throws(Obstacle) -> Response? {
    guard case .call(let call) = step.event, call.name == "response" else {
      throw .missing("response")
    }
    try call.expectOnly(["kind", "retry_after"])
    let hint = try call.hint
    switch call.arguments["kind"]?.text {
    case "success":
      return nil
    case "transient":
      let raised = hint.map { delay(backoff, attempt, hint: $0) }
      return Response(retryAdvice: raised.map { .retry(after: $0) } ?? .retry)
    case "throttle":
      let raised = delay(throttled, attempt, hint: hint ?? .zero)
      return Response(retryAdvice: .retry(after: raised).costing(throttleCost))
    default:
      throw .missing("kind")
    }
  }

  /// The delay of a backoff after an attempt, raised to a hint; the source cuts a hint to the
  /// backoff and five seconds.
  private func delay(_ backoff: Backoff, _ attempt: Int, hint: Duration) -> Duration {
    var delays = backoff.delays().dropFirst(attempt - 1).makeIterator()
    let own = delays.next() ?? .zero
    return max(own, min(hint, own + .seconds(5)))
  }
}
