import Pacing
import PacingTesting

/// Plays attempts that fail with a server's hints, and late wake-ups, to every form of a retry.
struct HintRun {
  /// Keys in addition to those of a backoff.
  private static let keys: Set = [
    "policy", "base", "factor", "max", "jitter", "max_attempts", "max_elapsed",
    "attempt_duration", "hints", "hint_limit",
  ]

  private struct Failure: RetryAdvising {
    let retryAdvice: RetryAdvice?
  }

  private let policy: RetryPolicy
  private let duration: Duration

  init(_ config: Settings) throws(Obstacle) {
    try config.expectOnly(Self.keys)
    let limits: Set = ["attempt_duration", "hints", "hint_limit"]
    let settings = try BackoffSettings(
      Settings(config.values.filter { !limits.contains($0.key) }))
    policy = try RetryPolicy(limits: config, after: settings.backoff())
      .obeying(HintPolicy(config))
    duration = try config.duration("attempt_duration") ?? .zero
  }

  func play(_ scenario: Scenario) throws(Obstacle) -> Outcome {
    var advice = [Int: RetryAdvice]()
    var stalls = [(Nanoseconds, Call)]()
    for step in scenario.steps {
      guard case .call(let call) = step.event else { throw .malformed("a value for a retry") }
      switch call.name {
      case "fail":
        try call.expectOnly(["retry_after"])
        advice[Int(step.stated / scenario.config.unit.length)] = try call.advice ?? .retry
      case "stall":
        try call.expectOnly(["until"])
        stalls.append((step.time, call))
      default: throw .missing(call.name)
      }
    }
    var outcome = try play(advice, stalls, Self.task)
    let closures = try play(advice, stalls, Self.closures)
    outcome.streamed = closures.rows
    guard closures.end == outcome.end else { throw .broken("the forms do not end alike") }
    return outcome
  }

  private typealias Form = (
    Stage, RetryPolicy, Record, _ duration: Duration,
    _ failure: @escaping @Sendable (Int) -> Failure
  ) -> Void

  private func play(
    _ advice: [Int: RetryAdvice], _ stalls: [(Nanoseconds, Call)], _ begin: Form
  ) throws(Obstacle) -> Outcome {
    let stage = Stage()
    let record = Record(stage.clock)
    let last = advice.keys.max().flatMap { advice[$0] }
    begin(stage, policy, record, duration) { number in
      Failure(retryAdvice: advice[number] ?? last)
    }
    stage.settle()
    for (time, call) in stalls { try stage.stall(from: time, by: call) }
    try stage.wakeUp()
    try stage.play(until: nil)
    let end = record.end.map { Outcome.Row(at: $0, .text("error")) }
    return Outcome(rows: record.all, end: end)
  }

  private static func task(
    _ stage: Stage, _ policy: RetryPolicy, _ record: Record, _ duration: Duration,
    _ failure: @escaping @Sendable (Int) -> Failure
  ) {
    let clock = stage.clock
    stage.start {
      do {
        try await retry(policy, clock: clock) { attempt in
          record.note(.text("attempt"))
          if duration > .zero { try await clock.sleep(for: duration) }
          throw failure(attempt.number)
        }
      } catch {
        record.noteEnd()
      }
    }
  }

  private static func closures(
    _ stage: Stage, _ policy: RetryPolicy, _ record: Record, _ duration: Duration,
    _ failure: @escaping @Sendable (Int) -> Failure
  ) {
    let timers = Locked([DispatchTimer]())
    let clock = stage.clock
    retry(policy, clock: clock) { attempt, finish in
      record.note(.text("attempt"))
      let result = Result<Void, any Error>.failure(failure(attempt.number))
      guard duration > .zero else { return finish(result) }
      let timer = DispatchTimer.scheduled(after: duration, clock: clock) { finish(result) }
      timers.withLock { $0.append(timer) }
    } completion: { _ in
      record.noteEnd()
    }
  }
}

extension Call {
  /// The advice in a server's `retry_after`; text is not a hint.
  var advice: RetryAdvice? {
    get throws(Obstacle) {
      guard arguments["retry_after"]?.text == nil else { return nil }
      return try nanoseconds("retry_after").map { .retry(after: Duration(nanoseconds: $0)) }
    }
  }
}

extension HintPolicy {
  init(_ config: Settings) throws(Obstacle) {
    let limit = try config.duration("hint_limit")
    switch try config.word("hints") {
    case nil, "raise": self = limit.map { .clamped(atMost: $0) } ?? .obeyed
    case "exactly": self = limit.map { .exactly(atMost: $0) } ?? .exactly
    case "ignored": self = .ignored
    case "refused": self = .refused(above: limit ?? .seconds(86_400))
    default: throw .missing("hints")
    }
  }
}
