import Pacing

/// A tool that takes values, as the player of streams sees it; nil for verbs that it lacks.
struct StreamTool {
  let send: @Sendable (String) -> Void

  /// Finishes the tool as the case specifies.
  let finish: () -> Void

  /// Ends the tool and drops the pending value, as an upstream error does.
  let fail: () -> Void

  var isPending: (() -> Bool)?

  /// Withdraws the pending value.
  var cancel: (() -> Answer)?

  /// Delivers the pending value; returns it, or whether there was one.
  var flush: (() -> Answer)?

  /// Withdraws the pending value and resets the window.
  var reset: (() -> Void)?

  /// Changes a setting; nil if the tool's settings are fixed.
  var configure: ((Call) throws(Obstacle) -> Void)?

  /// The stream of the handler's deliveries.
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
