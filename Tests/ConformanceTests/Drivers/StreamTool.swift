import Pacing

/// A tool that takes values, as the player of streams sees it.
struct StreamTool {
  let send: @Sendable (String) -> Void

  /// Finishes the tool as the case specifies.
  let finish: () -> Void

  /// Ends the tool and drops the pending value, as an upstream error does.
  let fail: () -> Void

  let isPending: () -> Bool

  /// Withdraws the pending value.
  let cancel: () -> Answer

  /// Delivers the pending value; returns it, or whether there was one.
  let flush: () -> Answer

  let suspend: () -> Void

  let resume: () -> Void

  /// The stream of the handler's deliveries.
  let ticks: any AsyncSequence<Answer, Never> & Sendable

  /// Withdraws the pending value and resets the window; nil if the tool has no such verb.
  var reset: (() -> Void)?

  /// The settings that `change` changes.
  var changing: Set<String> = []

  /// Changes the settings that are present.
  var change: (Settings) throws(Obstacle) -> Void = { _ in }
}

extension StreamTool {
  /// The verbs that tools for values have in common.
  init(_ tool: some ValuePacingTool<String>, finishing finish: Finish?) {
    self.init(
      send: { [weak tool] in tool?.send($0) },
      finish: { tool.finish(finish) },
      fail: { tool.finish(.discard) },
      isPending: { tool.isPending },
      cancel: { tool.cancel().map(Answer.text) ?? .nothing },
      flush: { .something(tool.flush()) },
      suspend: { tool.suspend() },
      resume: { tool.resume() },
      ticks: tool.ticks().map(Answer.text))
  }

  /// Changes the settings that a call names; others are missing.
  func configure(_ call: Call) throws(Obstacle) {
    let settings = call.settings
    try settings.expectOnly(changing)
    try change(settings)
  }
}
