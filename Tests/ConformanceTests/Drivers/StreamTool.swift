import Pacing

/// A tool that takes values, as the player of streams sees it; nil for a verb that it has not.
struct StreamTool {
  let send: @Sendable (String) -> Void

  /// Takes no more values, by the rule that the case asks for.
  let finish: () -> Void

  /// Ends the tool and drops what is pending, as an error upstream does.
  let fail: () -> Void

  var isPending: (() -> Bool)?

  /// Takes back what is pending.
  var cancel: (() -> Answer)?

  /// Delivers what is pending; says what it was, or whether there was something.
  var flush: (() -> Answer)?

  /// Takes back what is pending, and forgets the window.
  var reset: (() -> Void)?

  /// Changes a setting, nil where it cannot be changed.
  var configure: ((Call) throws(Obstacle) -> Void)?

  /// What the handler is given, a second time.
  let ticks: any AsyncSequence<Answer, Never> & Sendable
}

extension StreamTool {
  /// The verbs that tools for values have in common.
  init(_ tool: some PacingTool<String>, finishing finish: Finish) {
    self.init(
      send: { [weak tool] in tool?.send($0) },
      finish: { tool.finish(finish) },
      fail: { tool.finish(.discard) },
      isPending: { tool.isPending },
      cancel: { tool.cancel().map(Answer.text) ?? .nothing },
      flush: { .something(tool.flush()) },
      configure: { call throws(Obstacle) in
        try call.expectOnly(["enabled"])
        tool.isEnabled = try call.required("enabled", call.flag("enabled"))
      },
      ticks: tool.ticks().map(Answer.text))
  }
}
