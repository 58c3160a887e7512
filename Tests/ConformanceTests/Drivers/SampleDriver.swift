import Pacing

/// Plays scenarios to a `Sampler`.
struct SampleDriver: Driver {
  func run(_ scenario: Scenario) throws -> Outcome {
    let config = scenario.config
    try config.expectOnly(Replies.keys.union(["period", "on_complete"]))
    let period = try config.required("period", config.duration("period"))
    let finish = try Finish(config, atItsOwn: "drop")
    var player = try StreamPlayer(scenario) { clock, deliver in
      let tool = Sampler<String>(every: period, clock: clock) { deliver(.text($0)) }
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
