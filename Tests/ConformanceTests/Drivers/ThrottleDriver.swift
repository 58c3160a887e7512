import Pacing

/// Plays scenarios to a `Throttler`.
struct ThrottleDriver: Driver {
  /// The trigger of the trailing edge is the source's; ours is always the timer.
  private static let keys = Replies.keys.union([
    "wait", "leading", "trailing", "keep", "on_complete", "trailing_trigger",
  ])

  func run(_ scenario: Scenario) throws -> Outcome {
    let config = scenario.config
    if config.has("waits") { throw Obstacle.missing("varying-wait") }
    if let kind = try config.word("kind") { throw Obstacle.missing(kind) }
    try config.expectOnly(Self.keys)
    let wait = try config.required("wait", config.duration("wait"))
    let edges = try Edges(config, leading: true, trailing: true)
    let keep = try Keep(config)
    let finish = try Finish(config, atItsOwn: "wait_for_timer")
    var player = try StreamPlayer(scenario) { clock, deliver in
      let tool = Throttler<String>(every: wait, edges: edges, keeping: keep, clock: clock) {
        deliver(.text($0))
      }
      return StreamTool(
        send: { [weak tool] in tool?.send($0) },
        finish: { tool.finish(finish) },
        fail: { tool.finish(.discard) },
        isPending: { tool.isPending },
        cancel: { tool.cancel().map(Answer.text) ?? .nothing },
        flush: { .something(tool.flush()) },
        reset: { tool.reset() },
        ticks: tool.ticks().map(Answer.text))
    }
    return try player.play()
  }
}

extension Keep {
  init(_ config: Settings) throws(Obstacle) {
    switch try config.word("keep") {
    case nil, "latest": self = .latest
    case "first": self = .first
    default: throw .missing("keep")
    }
  }
}
