import Pacing

/// Plays scenarios to a `Throttler`.
struct ThrottleDriver: Driver {
  let features: Set = ["varying-wait", "configure"]

  /// The trigger of the trailing edge is specific to the source; here it is always the timer.
  private static let keys = Replies.keys.union([
    "wait", "waits", "leading", "trailing", "keep", "on_complete", "trailing_trigger",
  ])

  func run(_ scenario: Scenario) throws -> Outcome {
    let config = scenario.config
    if let kind = try config.word("kind") { throw Obstacle.missing(kind) }
    try config.expectOnly(Self.keys)
    let interval = try Waits.first(config)
    let waits = try Waits(config)
    let edges = try Edges(config, otherwise: .both)
    let keep = try Keep<String>(config)
    let finish = try Finish.asked(config, atItsOwn: "wait_for_timer", .whenDue)
    var player = try StreamPlayer(scenario) { clock, deliver in
      let tool = Throttler<String>(
        every: interval, edges: edges, keeping: keep,
        varying: waits?.rule, clock: clock
      ) {
        waits?.start()
        deliver(.text($0))
      }
      var verbs = StreamTool(tool, finishing: finish)
      verbs.reset = { tool.reset() }
      verbs.changing = ["wait", "leading", "trailing"]
      verbs.change = { config throws(Obstacle) in
        if let interval = try config.duration("wait") { tool.interval = interval }
        tool.edges = try Edges(config, otherwise: tool.edges)
      }
      return verbs
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
