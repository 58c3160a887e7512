import Pacing
import PacingTesting

/// Plays scenarios with waiters to a `TokenBucket`.
struct BucketQueueDriver: Driver {
  func run(_ scenario: Scenario) throws -> Outcome {
    // Both ways to wait, and both ways to ask, must give the same answers.
    let outcome = try play(scenario, usesTasks: false)
    guard try play(scenario, usesTasks: true).rows == outcome.rows else {
      throw Obstacle.broken("tasks and closures disagree")
    }
    return outcome
  }

  private func play(_ scenario: Scenario, usesTasks: Bool) throws -> Outcome {
    let settings = try BucketSettings(
      scenario, and: ["catch_up", "order", "queue_limit", "when_full"])
    let stage = Stage()
    let bucket = settings.bucket(on: stage, queue: try QueuePolicy(scenario.config))
    let asker = BucketAsker(
      bucket: bucket, burst: settings.burst, stage: stage, usesDecisions: usesTasks)
    let waiters = Waiters(on: stage, usesTasks: usesTasks) { cost, timeout, completion in
      bucket.acquire(Costs(cost), within: timeout) { completion($0.map { $0.instant }) }
    } acquire: { cost, timeout in
      try await bucket.acquire(cost, within: timeout).instant
    }
    for step in scenario.steps {
      guard case .call(let call) = step.event else {
        throw Obstacle.malformed("a value for a bucket")
      }
      if call.name == "stall" {
        try stage.stall(from: step.time, by: call)
        continue
      }
      try stage.move(
        to: step.time, beforeWhatIsDue: call.name == "withdraw" || call.name == "cancel")
      if try waiters.play(call) { continue }
      switch call.name {
      case "pause":
        try call.expectOnly(["until"])
        let end = try call.required("until", call.nanoseconds("until"))
        bucket.pause(for: stage.clock.now.duration(to: PacingInstant(nanoseconds: end)))
        stage.settle()
      case "resume":
        try call.expectOnly([])
        bucket.resume()
        stage.settle()
      default:
        let answer = try asker.answer(call)
        stage.settle()
        if let answer { waiters.record.note(answer) }
      }
    }
    try stage.wakeUp()
    try stage.play(until: scenario.horizon)
    var outcome = Outcome()
    outcome.rows = Waiters.rows(
      waiters.record, inTheOrderOf: scenario.asked, unit: scenario.config.unit)
    return outcome
  }
}

extension QueuePolicy {
  fileprivate init(_ config: Settings) throws(Obstacle) {
    let newestFirst: Bool
    switch try config.word("order") {
    case nil, "oldest_first": newestFirst = false
    case "newest_first": newestFirst = true
    case let other?: throw .missing("order-\(other)")
    }
    let whenFull: WhenFull
    switch try config.word("when_full") {
    case nil, "refuse_newest": whenFull = .refuse
    case "drop_oldest": whenFull = .makeRoom
    case let other?: throw .missing("when-full-\(other)")
    }
    let limit = try config.count("queue_limit")
    let catchUp = try config.required("catch_up", config.duration("catch_up"))
    try Obstacle.requireAccepted(limit ?? 0 >= 0 && catchUp >= .zero)
    self.init(maximumWaiters: limit, newestFirst: newestFirst, whenFull: whenFull, catchUp: catchUp)
  }
}
