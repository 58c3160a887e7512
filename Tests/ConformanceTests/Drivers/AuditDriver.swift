import Pacing

/// Plays scenarios to an `Auditor`.
struct AuditDriver: Driver {
  func run(_ scenario: Scenario) throws -> Outcome {
    let config = scenario.config
    if config.has("waits") { throw Obstacle.missing("varying-wait") }
    try config.expectOnly(Replies.keys.union(["wait", "on_complete"]))
    let window = try config.required("wait", config.duration("wait"))
    let finish = try Finish(config, atItsOwn: "wait_for_timer")
    var player = try StreamPlayer(scenario) { clock, deliver in
      let tool = Auditor<String>(for: window, clock: clock) { deliver(.text($0)) }
      return StreamTool(
        send: { [weak tool] in tool?.send($0) },
        finish: { tool.finish(finish) },
        fail: { tool.finish(.discard) },
        isPending: { tool.isPending },
        cancel: { tool.cancel().map(Answer.text) ?? .nothing },
        flush: { .something(tool.flush()) },
        ticks: tool.ticks().map(Answer.text))
    }
    return try player.play()
  }
}
