import Pacing

/// Lines of a log, and those that a throttler delivers.
struct ThrottleScene: Scene {
  let title = "Throttler"
  let call = "Throttler<String>(every: .milliseconds(200)) { line in show(line) }"
  let explanation = """
    Delivers at most one value in each window of time: the first at once, and the latest when \
    the window ends.
    """
  let lanes = ["log lines", "both edges", "leading"]
  let length = Duration.milliseconds(2_000)

  func play(into recorder: SceneRecorder) async throws {
    let both = Throttler<(name: String, line: String)>(every: .milliseconds(200)) { item in
      recorder.note(item.name, "\(item.name): \(item.line)", in: 1, as: .delivered)
    }
    let leading = Throttler<(name: String, line: String)>(
      every: .milliseconds(200), edges: .leading
    ) { item in
      recorder.note(item.name, "\(item.name): \(item.line)", in: 2, as: .delivered)
    }
    try await Trace.log.play(on: recorder) { event, index in
      let name = Self.letter(index)
      recorder.note(name, "\(name): \(event.text)", in: 0, as: .input)
      both.send((name, event.text))
      leading.send((name, event.text))
    }
    try await recorder.wait(until: length)
  }

  func summary(of recorder: SceneRecorder) -> String {
    """
    \(recorder.count(in: 0)) lines received, \(recorder.count(in: 1)) delivered; \
    \(recorder.count(in: 2)) with the leading edge alone
    """
  }
}
