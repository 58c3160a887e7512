import Pacing
import PacingTesting

/// One call of `retry` under a quota, with the responses of a case for its attempts.
///
/// The input's times number the steps. The separate backoff of a throttled response is passed as
/// the delay that the server names; the backoff is a lower bound of named delays, as in the source.
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
    backoff = try Self.backoff(config, base: "base")
    throttled = try Self.backoff(config, base: "throttle_base")
    maximumAttempts = try config.maximumAttempts
    throttleCost = try config.required("quota_cost_throttle", config.count("quota_cost_throttle"))
    budget = .quota(
      try config.required("quota", config.count("quota")),
      cost: try config.required("quota_cost", config.count("quota_cost")))
  }

  private static func backoff(_ config: Settings, base: String) throws(Obstacle) -> Backoff {
    let cap = try config.duration("max")
    let base = try config.required(base, config.duration(base))
    let factor = try config.number("factor") ?? 2
    do {
      return try Backoff(validating: base, factor: factor, cap: cap)
    } catch {
      throw .missing("rejection")
    }
  }

  func play(_ steps: [Step]) throws(Obstacle) -> Outcome {
    guard let last = steps.last else { throw .malformed("a retry without responses") }
    let step: @Sendable (Int) -> Step = { $0 > steps.count ? last : steps[$0 - 1] }
    let stage = Stage()
    let record = Record(stage.clock)
    let policy = try RetryPolicy(backoff, maximumAttempts: maximumAttempts) { end in
      let outcome = end.reason == .budget ? "quota_exceeded" : "max_attempts"
      note(outcome, nil, at: step(end.attempts), in: record)
    }
    .sharing(budget).obeying(.clamped(toBackoffPlus: .seconds(5)))
    .afterAttempt { report in
      let step = step(report.attempt.number)
      if report.isSuccess { note("done", nil, at: step, in: record) }
      if let next = report.next { note("retry", next.delay, at: step, in: record) }
    }
    var responses = [Response?]()
    for step in steps { responses.append(try response(step, after: responses.count)) }
    stage.start { [responses, clock = stage.clock] in
      try? await retry(policy, clock: clock) { attempt in
        // An attempt without a response does not end.
        if attempt.number > responses.count { try await clock.sleep(until: .distantFuture) }
        if let failure = responses[attempt.number - 1] { throw failure }
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

  /// The failure of the attempt in a step; nil for a success.
  private func response(_ step: Step, after count: Int) throws(Obstacle) -> Response? {
    guard case .call(let call) = step.event, call.name == "response" else {
      throw .missing("response")
    }
    try call.expectOnly(["kind", "retry_after"])
    let advice = try call.advice
    switch call.arguments["kind"]?.text {
    case "success":
      return nil
    case "transient":
      return Response(retryAdvice: advice ?? .retry)
    case "throttle":
      var delays = throttled.delays().dropFirst(count).makeIterator()
      let delay = delays.next() ?? .zero
      return Response(retryAdvice: .retry(after: delay).costing(throttleCost))
    default:
      throw .missing("kind")
    }
  }
}
