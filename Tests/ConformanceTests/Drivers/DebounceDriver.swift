import Pacing

/// Plays scenarios to a `Debouncer`.
struct DebounceDriver: Driver {
  private static let keys = Replies.keys.union([
    "wait", "leading", "trailing", "max_wait", "on_complete",
  ])

  func run(_ scenario: Scenario) throws -> Outcome {
    let config = scenario.config
    if config.has("waits") { throw Obstacle.missing("varying-wait") }
    try config.expectOnly(Self.keys)
    let wait = try config.required("wait", config.duration("wait"))
    let maximumWait = try config.duration("max_wait")
    let edges = try Edges(config, leading: false, trailing: true)
    let finish = try Finish(config)
    var player = try StreamPlayer(scenario) { clock, deliver in
      let tool = Debouncer<String>(
        for: wait, edges: edges, maximumWait: maximumWait, clock: clock
      ) { deliver(.text($0)) }
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

extension Finish {
  /// The rule for a debouncer's end.
  fileprivate init(_ config: Settings) throws(Obstacle) {
    switch try config.word("on_complete") {
    case nil, "flush": self = .deliver
    case "drop": self = .discard
    default: throw .missing("on_complete")
    }
  }
}
