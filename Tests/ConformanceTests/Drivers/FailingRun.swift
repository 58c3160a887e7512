import Pacing
import PacingTesting

/// Plays attempts that fail, with a server's hints, late wake-ups and a cancellation, to every form
/// of a retry.
struct FailingRun {
  /// Keys in addition to those of a backoff.
  private static let keys: Set = ["attempt_duration", "hints", "hint_limit", "stop"]

  private struct Failure: RetryAdvising {
    let retryAdvice: RetryAdvice?
  }

  private let policy: RetryPolicy
  private let duration: Duration

  /// More attempts than any scenario needs; a retry without a pause would never yield the thread.
  private static let limit = 10_000

  init(_ config: Settings) throws(Obstacle) {
    var backoff = config.values.filter { !Self.keys.contains($0.key) }
    backoff["policy"] = backoff["policy"] ?? .string(config.has("delays") ? "list" : "none")
    let settings = try BackoffSettings(Settings(backoff, unit: config.unit))
    policy = try RetryPolicy(limits: config, after: settings.backoff())
      .obeyingHints(atMost: config.maximumHint)
    duration = try config.duration("attempt_duration") ?? .zero
  }

  func play(_ scenario: Scenario) throws(Obstacle) -> Outcome {
    var advice = [Int: RetryAdvice]()
    var events = [(Nanoseconds, Call)]()
    for step in scenario.steps {
      guard case .call(let call) = step.event else { throw .malformed("a value for a retry") }
      switch call.name {
      case "fail":
        try call.expectOnly(["retry_after"])
        advice[Int(step.stated / scenario.config.unit.length)] =
          try call.hint.map { .retry(after: $0) } ?? .retry
      case "stall", "cancel", "leave":
        if call.name != "stall" { try call.expectOnly([]) }
        events.append((step.stated, call))
      default: throw .missing(call.name)
      }
    }
    var outcome = try play(advice, events, until: scenario.horizon, begin: task)
    let closures = try play(advice, events, until: scenario.horizon, begin: closures)
    outcome.streamed = closures.rows
    guard closures.end == outcome.end else { throw .broken("the forms do not end alike") }
    return outcome
  }

  /// Begins a retry, and returns what cancels it.
  private typealias Form = (
    Stage, Record, _ failure: @escaping @Sendable (Int) -> Failure
  ) -> () -> Void

  private func play(
    _ advice: [Int: RetryAdvice], _ events: [(Nanoseconds, Call)], until horizon: Nanoseconds?,
    begin: Form
  ) throws(Obstacle) -> Outcome {
    let stage = Stage()
    let record = Record(stage.clock)
    let last = advice.keys.max().flatMap { advice[$0] }
    let cancel = begin(stage, record) { Failure(retryAdvice: advice[$0] ?? last) }
    stage.settle()
    for (time, call) in events {
      // The number of an attempt before it is no time.
      let time = max(time, stage.now)
      if call.name == "stall" {
        try stage.stall(from: time, by: call)
      } else {
        try stage.move(to: time, beforeWhatIsDue: true)
        cancel()
        stage.settle()
      }
    }
    try stage.wakeUp()
    try stage.play(until: horizon)
    guard record.count < Self.limit else { throw .broken("it never comes to rest") }
    let end = record.end.map { Outcome.Row(at: $0, .text("error")) }
    return Outcome(rows: record.all, end: end)
  }

  private func task(
    _ stage: Stage, _ record: Record, _ failure: @escaping @Sendable (Int) -> Failure
  ) -> () -> Void {
    let clock = stage.clock
    let task = stage.start {
      do {
        try await retry(policy, clock: clock) { attempt in
          record.note(.text("attempt"))
          if attempt.number >= Self.limit { try await clock.sleep(until: .distantFuture) }
          if duration > .zero { try await clock.sleep(for: duration) }
          throw failure(attempt.number)
        }
      } catch is CancellationError {
        // The consumer has left, and sees no end.
      } catch {
        record.noteEnd()
      }
    }
    return { task.cancel() }
  }

  private func closures(
    _ stage: Stage, _ record: Record, _ failure: @escaping @Sendable (Int) -> Failure
  ) -> () -> Void {
    let timers = Locked([DispatchTimer]())
    let clock = stage.clock
    let handle = retry(policy, clock: clock) { attempt, finish in
      record.note(.text("attempt"))
      if attempt.number >= Self.limit { return }
      let result = Result<Void, any Error>.failure(failure(attempt.number))
      guard duration > .zero else { return finish(result) }
      let timer = DispatchTimer.scheduled(after: duration, clock: clock) { finish(result) }
      timers.withLock { $0.append(timer) }
    } completion: { _ in
      record.noteEnd()
    }
    return { handle.cancel() }
  }
}

extension Call {
  /// A server's `retry_after`; text is not a hint.
  var hint: Duration? {
    get throws(Obstacle) {
      guard arguments["retry_after"]?.text == nil else { return nil }
      return try nanoseconds("retry_after").map(Duration.nanoseconds)
    }
  }
}

extension Settings {
  /// What of a server's hint counts; zero if hints are ignored.
  fileprivate var maximumHint: Duration {
    get throws(Obstacle) {
      switch try word("hints") {
      case nil, "raise": try duration("hint_limit") ?? .seconds(86_400)
      case "ignored": .zero
      default: throw .missing("hints")
      }
    }
  }
}
