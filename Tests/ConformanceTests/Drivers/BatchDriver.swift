import Pacing

/// Plays scenarios to a `Batcher`.
struct BatchDriver: Driver {
  static let keys = Replies.keys.union([
    "wait", "period", "max_size", "idle_gap", "timer_restart", "emit_empty", "on_complete", "take",
  ])

  func run(_ scenario: Scenario) throws -> Outcome {
    let config = scenario.config
    if config.has("creation_interval") { throw Obstacle.missing("overlapping-buffers") }
    try config.expectOnly(Self.keys)
    let limit = try BatchLimit(config)
    switch try config.word("on_complete") {
    case nil, "flush": break
    case "flush_even_if_empty": try config.expect("emit_empty", true)
    default: throw Obstacle.missing("on_complete")
    }
    let take = try config.take
    var player = try StreamPlayer(scenario) { clock, deliver in
      let left = Locked(take ?? .max)
      let receiver = Locked(Receiver())
      let tool = Batcher<String>(limit, clock: clock) { batch in
        deliver(.batch(batch))
        let isLast = left.withLock { left in
          left -= 1
          return left == 0
        }
        if isLast { receiver.withLock { $0.tool }?.finish(.discard) }
      }
      receiver.withLock { $0.tool = tool }
      return StreamTool(
        send: { [weak tool] in tool?.send($0) },
        finish: { tool.finish() },
        fail: { tool.finish(.discard) },
        isPending: { tool.isPending },
        cancel: {
          let withdrawn = tool.cancel()
          return withdrawn.isEmpty ? .nothing : .batch(withdrawn)
        },
        flush: { .something(tool.flush()) },
        ticks: tool.ticks().map(Answer.batch))
    }
    return try player.play()
  }
}

/// A consumer that leaves after its last batch.
private struct Receiver {
  weak var tool: Batcher<String>?
}

extension BatchLimit {
  init(_ config: Settings) throws(Obstacle) {
    let count = try config.count("max_size")
    let wait = try config.duration("wait")
    let gap = try config.duration("idle_gap")
    switch try config.word("timer_restart") {
    case nil, "on_first_item":
      self = try Obstacle.accepted { () throws(ConfigurationError) in
        try BatchLimit(validating: count, maximumDelay: wait, idleGap: gap)
      }
    case "on_every_item":
      self = try Obstacle.accepted { () throws(ConfigurationError) in
        try BatchLimit(validating: count, idleGap: wait)
      }
    case "on_flush":
      let period = try config.required("period", config.duration("period") ?? wait)
      let includesEmpty = try config.flag("emit_empty") ?? false
      self = try Obstacle.accepted { () throws(ConfigurationError) in
        try BatchLimit(
          validatingPeriod: period, maximumCount: count, includingEmpty: includesEmpty)
      }
    default: throw .missing("timer_restart")
    }
  }
}

extension Settings {
  /// The vectors ask for an empty batch at the end only if empty batches are enabled.
  fileprivate func expect(_ name: String, _ value: Bool) throws(Obstacle) {
    if try flag(name) != value { throw .missing(name) }
  }
}
