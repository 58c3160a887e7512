import Pacing
import PacingTesting

/// Plays scenarios to a `Poller`, and if they call no verb, to the stream of its schedule.
struct PollDriver: Driver {
  private static let keys: Set = ["period", "first", "backoff", "results", "limit"]

  private struct Failure: RetryAdvising {
    let retryAdvice: RetryAdvice?
  }

  /// The result of a poll.
  private struct Answer: Sendable {
    var isSuccess = true
    var takes = Duration.zero
    var hint: Duration?
  }

  func run(_ scenario: Scenario) throws -> Outcome {
    let config = scenario.config
    try config.expectOnly(Self.keys)
    let stage = Stage()
    let record = Record(stage.clock)
    let bucket = try config.settings("limit").map { try Self.bucket($0, stage) }
    let schedule = try Self.schedule(config, limit: bucket)
    let answers = try Self.answers(config)
    let clock = stage.clock
    let number = Locked(0)
    let operation: @Sendable () async throws -> RetryAdvice? = {
      record.note(.text("poll"))
      let place = number.withLock { number in
        defer { number += 1 }
        return number
      }
      let answer = answers[min(place, answers.count - 1)]
      if answer.takes > .zero { try await clock.sleep(for: answer.takes) }
      let advice = answer.hint.map { RetryAdvice.retry(after: $0) }
      guard answer.isSuccess else { throw Failure(retryAdvice: advice) }
      return advice
    }
    let poller = Poller(
      schedule, clock: clock, judging: { (advice: RetryAdvice?) in advice }, operation
    ).handle { _ in }
    poller.start()
    stage.settle()
    for step in scenario.steps {
      guard case .call(let call) = step.event else { throw Obstacle.malformed("a value") }
      if call.name == "stall" {
        try stage.stall(from: step.time, by: call)
        continue
      }
      try stage.move(to: step.time)
      try Self.play(call, poller, bucket)
      stage.settle()
    }
    try stage.wakeUp()
    try stage.play(until: scenario.horizon)
    let refused = bucket?.statistics.refused ?? 0
    guard scenario.missed.map({ $0 == refused }) ?? true else {
      throw Obstacle.broken("\(refused) polls were refused, \(scenario.missed ?? 0) expected")
    }
    guard poller.end == nil else { throw Obstacle.broken("it has ended") }
    poller.cancel()
    return Outcome(rows: record.all)
  }

  private static func play(
    _ call: Call, _ poller: Poller<RetryAdvice?>, _ bucket: TokenBucket?
  ) throws(Obstacle) {
    try call.expectOnly(["resume": ["poll_now"], "take": ["n"]][call.name] ?? [])
    switch call.name {
    case "poll_now": poller.pollNow()
    case "suspend": poller.suspend()
    case "resume":
      poller.resume(pollingNow: try call.flag("poll_now") ?? false)
    case "take":
      let count = try call.required("n", call.count("n"))
      guard bucket?.tryAcquire(count) == true else { throw .malformed("nothing to take") }
    default: throw .missing(call.name)
    }
  }

  // MARK: Settings

  private static func schedule(
    _ config: Settings, limit: TokenBucket?
  ) throws(Obstacle) -> PollSchedule {
    let period = try config.required("period", config.duration("period"))
    let first = try config.duration("first") ?? .zero
    let backoff = try config.settings("backoff").map { settings throws(Obstacle) in
      try BackoffSettings(settings).backoff()
    }
    try Obstacle.requireAccepted(period > .zero)
    let schedule = PollSchedule(every: period, first: .after(first), slowing: backoff ?? .none)
    return limit.map(schedule.limited(by:)) ?? schedule
  }

  private static func answers(_ config: Settings) throws(Obstacle) -> [Answer] {
    var answers = [Answer]()
    for json in config.values["results"]?.elements ?? [] {
      let fields = Settings(json.members ?? [:], unit: config.unit)
      try fields.expectOnly(["ok", "takes", "retry_after"])
      answers.append(
        Answer(
          isSuccess: try fields.flag("ok") ?? true, takes: try fields.duration("takes") ?? .zero,
          hint: try fields.duration("retry_after")))
    }
    return answers.isEmpty ? [Answer()] : answers
  }

  /// The bucket of a limit, at which no poll waits.
  private static func bucket(_ config: Settings, _ stage: Stage) throws(Obstacle) -> TokenBucket {
    let settings = try BucketSettings(config, and: ["queue_limit"])
    let limit = try config.count("queue_limit") ?? 0
    try Obstacle.requireAccepted(limit >= 0)
    return settings.bucket(on: stage, queue: QueuePolicy(maximumWaiters: limit))
  }
}
