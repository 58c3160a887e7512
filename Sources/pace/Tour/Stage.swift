import Pacing

/// Plays scenes on the screen: redrawn in place in a terminal, or as plain lines.
struct Stage: Sendable {
  let screen: Screen
  let output: LineWriter

  /// The length of the longest lane name in all scenes.
  let longestName: Int

  /// The time between two drawings.
  private static let frame = Duration.milliseconds(40)

  /// Plays the scene, and returns when it is over.
  ///
  /// - Returns: Its events.
  /// - Throws: The error of a closed output, or of the task's cancellation.
  func play(_ scene: some Scene) async throws -> SceneRecorder {
    try introduce(scene)
    let recorder = SceneRecorder()
    let timeline = Timeline(
      lanes: scene.lanes, length: scene.length, screen: screen, longestName: longestName)
    if screen.isDrawable { try show("\u{1B}[?25l" + drawing(timeline, [], at: .zero)) }
    defer { if screen.isDrawable { try? show("\u{1B}[?25h") } }
    async let playing: Void = scene.play(into: recorder)
    var shown = 0
    for await _ in DispatchTimer.ticks(.every(Self.frame, first: .now)) {
      let (marks, now) = (recorder.all, recorder.elapsed)
      if screen.isDrawable {
        try show("\u{1B}[\(timeline.height)A" + drawing(timeline, marks, at: now))
      } else {
        for mark in marks[shown...] { try show(line(for: mark, in: scene)) }
        shown = marks.count
      }
      if now >= scene.length { break }
    }
    try await playing
    if !screen.isDrawable {
      try show("\n" + drawing(timeline, recorder.all, at: scene.length))
    }
    try show("\n")
    return recorder
  }

  private func introduce(_ scene: some Scene) throws(CommandError) {
    let rule = String(repeating: "─", count: screen.columns - scene.title.count - 4)
    try show(Tone.title.applied(to: scene.title, on: screen) + " ")
    try show(Tone.track.applied(to: rule, on: screen) + "\n")
    try write(scene.call, as: .code)
    try write(scene.explanation, as: .text)
    try show("\n")
  }

  /// Writes a paragraph, broken between words, next to a title or alone.
  func write(
    _ text: String, as tone: Tone, beside title: String = ""
  ) throws(CommandError) {
    var margin = title
    for line in text.wrapped(to: screen.columns - 4 - title.count) {
      try show("  \(margin)\(tone.applied(to: line, on: screen))\n")
      margin = String(repeating: " ", count: title.count)
    }
  }

  private func show(_ text: String) throws(CommandError) {
    try output.write(screen.spelled(text))
  }

  private func drawing(_ timeline: Timeline, _ marks: [Mark], at now: Duration) -> String {
    // Each line clears the rest of a wider one below it.
    let end = screen.isDrawable ? "\u{1B}[K\n" : "\n"
    return timeline.lines(marks, at: now).map { $0 + end }.joined()
  }

  private func line(for mark: Mark, in scene: some Scene) -> String {
    let milliseconds = "\(Int(mark.time / .milliseconds(1)))"
    let time = String(repeating: " ", count: max(0, 7 - milliseconds.count)) + milliseconds
    let lane = scene.lanes[mark.lane]
    let padding = String(repeating: " ", count: longestName - lane.count)
    return "\(time) ms  \(lane)\(padding)  \(mark.text)\n"
  }
}
