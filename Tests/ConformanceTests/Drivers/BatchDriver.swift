import Pacing

/// Plays scenarios to a `Batcher`.
struct BatchDriver: Driver {
  let features: Set = ["configure"]

  static let keys = Replies.keys.union([
    "wait", "period", "max_size", "idle_gap", "timer_restart", "emit_empty", "on_complete", "take",
  ])

  func run(_ scenario: Scenario) throws -> Outcome {
    let config = scenario.config
    if config.has("creation_interval") { throw Obstacle.missing("overlapping-buffers") }
    try config.expectOnly(Self.keys)
    let limit = try BatchLimit(config)
    let finish = try Finish.asked(batch: config)
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
        finish: { tool.finish(finish) },
        fail: { tool.finish(.discard) },
        isPending: { tool.isPending },
        cancel: {
          let withdrawn = tool.cancel()
          return withdrawn.isEmpty ? .nothing : .batch(withdrawn)
        },
        flush: { .something(tool.flush()) },
        suspend: { tool.suspend() },
        resume: { tool.resume() },
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
    let period = try config.duration("period")
    let wait = try config.duration("wait") ?? period
    let gap = try config.duration("idle_gap")
    let includesEmpty = try config.flag("emit_empty") ?? false
    let restart = try config.word("timer_restart") ?? "on_first_item"
    if includesEmpty, restart != "on_flush" { throw .missing("emit_empty") }
    guard count ?? 1 > 0 else { throw .missing("rejection") }
    switch restart {
    case "on_first_item":
      self = BatchLimit(maximumCount: count, maximumDelay: wait, idleGap: gap)
    case "on_every_item":
      self = BatchLimit(maximumCount: count, idleGap: wait ?? gap)
    case "on_flush":
      let period = try config.required("period", period ?? wait)
      if gap != nil { throw .missing("idle_gap") }
      guard period > .zero else { throw .missing("rejection") }
      self = .every(period, maximumCount: count, includingEmpty: includesEmpty)
    default: throw .missing("timer_restart")
    }
  }
}

extension Finish {
  /// The `Finish` of a batcher; an empty batch at the end comes only where empty ones do.
  static func asked(batch config: Settings) throws(Obstacle) -> Finish? {
    switch try config.word("on_complete") {
    case nil: return nil
    case "flush": return .atOnce
    case "flush_even_if_empty":
      guard try config.flag("emit_empty") == true else { throw .missing("emit_empty") }
      return .atOnce
    case "drop": return .discard
    default: throw .missing("on_complete")
    }
  }
}
