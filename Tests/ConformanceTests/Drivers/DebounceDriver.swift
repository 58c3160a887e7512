import Pacing

/// Plays scenarios to a `Debouncer`.
struct DebounceDriver: Driver {
  let features: Set = ["varying-wait", "configure"]

  private static let keys = Replies.keys.union([
    "wait", "waits", "leading", "trailing", "max_wait", "on_complete",
  ])

  func run(_ scenario: Scenario) throws -> Outcome {
    let config = scenario.config
    try config.expectOnly(Self.keys)
    let wait = try Waits.first(config)
    let waits = try Waits(config)
    let maximumWait = try config.duration("max_wait")
    let edges = try Edges(config, otherwise: .trailing)
    let finish = try Finish.asked(config, atItsOwn: "flush", .atOnce)
    var player = try StreamPlayer(scenario) { clock, deliver in
      let tool = Debouncer<String>(
        for: wait, edges: edges, maximumWait: maximumWait,
        varying: waits?.ruleForEach, clock: clock
      ) { deliver(.text($0)) }
      var verbs = StreamTool(tool, finishing: finish)
      verbs.changing = ["wait", "max_wait", "leading", "trailing"]
      verbs.change = { config throws(Obstacle) in
        if let wait = try config.duration("wait") { tool.wait = wait }
        if let maximum = try config.duration("max_wait") { tool.maximumWait = maximum }
        tool.edges = try Edges(config, otherwise: tool.edges)
      }
      return verbs
    }
    return try player.play()
  }
}
