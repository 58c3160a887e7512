import Pacing
import PacingTesting

/// Plays scenarios to an operator of an async sequence.
struct OperatorDriver: Driver {
  /// Applies the operator to a source, with its elements as answers.
  typealias Operate =
    @Sendable (AsyncThrowingStream<String, any Error>, ManualClock)
    -> any AsyncSequence<Answer, any Error> & Sendable

  var features: Set<String> = []
  /// The settings that the driver reads.
  let keys: Set<String>
  let operate: @Sendable (Settings) throws -> Operate

  func run(_ scenario: Scenario) throws -> Outcome {
    try scenario.config.expectOnly(keys)
    let operate = try operate(scenario.config)
    let take = try scenario.config.take
    var player = OperatorPlayer(scenario, taking: take ?? .max, operate)
    return try player.play()
  }
}

extension OperatorDriver {
  static let debounce = OperatorDriver(
    features: ["varying-wait"],
    keys: ["wait", "waits", "leading", "trailing", "max_wait", "on_complete"]
  ) { config in
    let wait = try Waits.first(config)
    let waits = try Waits(config)
    let maximumWait = try config.duration("max_wait")
    let edges = try Edges(config, otherwise: .trailing)
    let finish = try Finish.asked(config, atItsOwn: "flush", .atOnce)
    return { source, clock in
      source.debounced(
        for: wait, edges: edges, maximumWait: maximumWait, varying: waits?.ruleForEach,
        atEnd: finish, clock: clock
      ).map(Answer.text)
    }
  }

  static let throttle = OperatorDriver(
    features: ["varying-wait"],
    keys: ["wait", "waits", "leading", "trailing", "keep", "on_complete", "trailing_trigger"]
  ) { config in
    let interval = try Waits.first(config)
    let waits = try Waits(config)
    let edges = try Edges(config, otherwise: .both)
    let keep = try Keep<String>(config)
    let finish = try Finish.asked(config, atItsOwn: "wait_for_timer", .whenDue)
    return { source, clock in
      source.throttled(
        every: interval, edges: edges, keeping: keep, varying: waits?.rule, atEnd: finish,
        clock: clock
      ).map { value in
        waits?.start()
        return .text(value)
      }
    }
  }

  static let audit = OperatorDriver(
    features: ["varying-wait"], keys: ["wait", "waits", "on_complete"]
  ) { config in
    let window = try Waits.first(config)
    let waits = try Waits(config)
    let finish = try Finish.asked(config, atItsOwn: "wait_for_timer", .whenDue)
    return { source, clock in
      source.audited(for: window, varying: waits?.rule, atEnd: finish, clock: clock)
        .map { value in
          waits?.start()
          return .text(value)
        }
    }
  }

  static let sample = OperatorDriver(keys: ["period", "wait", "on_complete"]) { config in
    let period = try config.required(
      "period", config.duration("period") ?? config.duration("wait"))
    guard period > .zero else { throw Obstacle.missing("rejection") }
    let finish = try Finish.asked(config, atItsOwn: "drop", .discard)
    return { source, clock in
      source.sampled(every: period, atEnd: finish, clock: clock).map(Answer.text)
    }
  }

  static let batch = OperatorDriver(keys: BatchDriver.keys.subtracting(Replies.keys)) { config in
    let limit = try BatchLimit(config)
    let finish = try Finish.asked(batch: config)
    return { source, clock in
      source.batched(limit, atEnd: finish, clock: clock).map(Answer.batch)
    }
  }

  static let delay = OperatorDriver(
    features: ["delayed-completion", "absolute-delay"], keys: ["by", "until", "delay_completion"]
  ) { config in
    let includesEnd = try config.flag("delay_completion") ?? false
    if let until = try config.duration("until") {
      return { source, clock in
        let instant = clock.now.advanced(by: until)
        return source.delayed(until: instant, includingEnd: includesEnd, clock: clock)
          .map(Answer.text)
      }
    }
    let delay = try config.required("by", config.duration("by"))
    return { source, clock in
      source.delayed(by: delay, includingEnd: includesEnd, clock: clock).map(Answer.text)
    }
  }

  static let timeout = OperatorDriver(keys: ["each", "first"]) { config in
    let each = try config.duration("each")
    let first = try config.duration("first")
    if let each {
      return { source, clock in
        source.timeout(after: each, first: first, clock: clock).map(Answer.text)
      }
    }
    let limit = try config.required("each", first)
    return { source, clock in source.timeout(first: limit, clock: clock).map(Answer.text) }
  }
}
