import Pacing

/// Plays scenarios to an `Auditor`.
struct AuditDriver: Driver {
  let features: Set = ["varying-wait", "configure"]

  func run(_ scenario: Scenario) throws -> Outcome {
    let config = scenario.config
    try config.expectOnly(Replies.keys.union(["wait", "waits", "on_complete"]))
    let window = try Waits.first(config)
    let waits = try Waits(config)
    let finish = try Finish.asked(config, atItsOwn: "wait_for_timer", .whenDue)
    var player = try StreamPlayer(scenario) { clock, deliver in
      let tool = Auditor<String>(
        for: window, varying: waits?.rule, clock: clock
      ) {
        waits?.start()
        deliver(.text($0))
      }
      var verbs = StreamTool(tool, finishing: finish)
      verbs.changing = ["wait"]
      verbs.change = { config throws(Obstacle) in
        if let window = try config.duration("wait") { tool.window = window }
      }
      return verbs
    }
    return try player.play()
  }
}
