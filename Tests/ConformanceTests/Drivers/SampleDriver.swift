import Pacing

/// Plays scenarios to a `Sampler`.
struct SampleDriver: Driver {
  let features: Set = ["configure"]

  func run(_ scenario: Scenario) throws -> Outcome {
    let config = scenario.config
    try config.expectOnly(Replies.keys.union(["period", "wait", "on_complete"]))
    let period = try config.required(
      "period", config.duration("period") ?? config.duration("wait"))
    guard period > .zero else { throw Obstacle.missing("rejection") }
    let finish = try Finish.asked(config, atItsOwn: "drop", .discard)
    var player = try StreamPlayer(scenario) { clock, deliver in
      let tool = Sampler<String>(every: period, clock: clock) { deliver(.text($0)) }
      return StreamTool(tool, finishing: finish)
    }
    return try player.play()
  }
}
