import Pacing
import PacingTesting

/// Plays the first row of a drawing to the tool that another row is about.
///
/// Marks of the first row are values, but for `!`, which flushes, `x`, which cancels, `r`, which
/// resets, and `|`, which finishes.
struct ValueToolPlay {
  private let drawing: Drawing
  private let label: String
  private let timeline: Timeline

  init(_ drawing: Drawing, label: String, on timeline: Timeline) {
    self.drawing = drawing
    self.label = label
    self.timeline = timeline
  }

  /// Plays it.
  ///
  /// - Returns: false where the kind of drawing is unknown.
  func play() async -> Bool {
    switch drawing.kind {
    case "debounce", "maximum": playDebouncer()
    case "throttle", "verbs": playThrottler()
    case "kept": playKept()
    case "siblings": playSibling()
    case "keyed": playKeyed()
    case "calls": await playCalls()
    case "batch", "weight", "gap", "grid": playBatcher()
    case "overlap": await playOverlap()
    default: return false
    }
    return true
  }

  private var clock: ManualClock { timeline.clock }
  private var first: Duration { .seconds(drawing.numbers[0]) }
  private var second: Duration { .seconds(drawing.numbers[1]) }
  private var row: String { drawing.input }

  private var edges: Edges? {
    switch label {
    case "leading": .leading
    case "trailing": .trailing
    case "both": .both
    default: nil
    }
  }

  private var keep: Keep<Character> {
    switch label {
    case ".latest": .latest
    case ".first": .first
    default: .reducing(max)
    }
  }

  private func play(_ tool: some MarkTool) {
    timeline.play(row) { mark in
      switch mark {
      case "!": tool.flush()
      case "x": tool.cancel()
      case "r": (tool as? Throttler<Character>)?.reset()
      case "|": tool.finish()
      default: tool.send(mark)
      }
    }
  }

  private func playDebouncer() {
    play(
      Debouncer(
        for: first, edges: edges ?? .trailing, maximumWait: label == "maximum" ? second : nil,
        clock: clock, handler: timeline.draw))
  }

  private func playThrottler() {
    play(Throttler(every: first, edges: edges ?? .both, clock: clock, handler: timeline.draw))
  }

  private func playKept() {
    play(Debouncer(for: first, keeping: keep, clock: clock, handler: timeline.draw))
  }

  private func playSibling() {
    switch label {
    case "Throttler": play(Throttler(every: first, clock: clock, handler: timeline.draw))
    case "Auditor", "audited": play(Auditor(for: first, clock: clock, handler: timeline.draw))
    case "Sampler", "sampled": play(Sampler(every: first, clock: clock, handler: timeline.draw))
    default: play(Debouncer(for: first, clock: clock, handler: timeline.draw))
    }
  }

  /// A letter's key is the letter, in lower case.
  private func playKeyed() {
    let draw = { @Sendable [timeline] (_: String, mark: Character) in timeline.draw(mark) }
    if label == "debounced" {
      let tool = KeyedDebouncer<String, Character>(for: first, clock: clock, handler: draw)
      timeline.play(row) { tool.send($0, for: $0.lowercased()) }
    } else {
      let tool = KeyedThrottler<String, Character>(every: first, clock: clock, handler: draw)
      timeline.play(row) { tool.send($0, for: $0.lowercased()) }
    }
  }

  private func playBatcher() {
    let limit: BatchLimit =
      switch drawing.kind {
      case "batch": BatchLimit(maximumCount: drawing.numbers[0], maximumDelay: second)
      case "weight": BatchLimit(maximumWeight: drawing.numbers[0])
      case "gap": BatchLimit(idleGap: first)
      default: .every(first, maximumCount: 3, includingEmpty: label == "empty")
      }
    let tool = Batcher<Character>(
      limit, weigh: { $0.wholeNumberValue ?? 1 }, clock: clock,
      handler: { [timeline] batch in timeline.draw(Character("\(batch.count)")) })
    timeline.play(row) { mark in
      if mark == "|" { tool.finish() } else { tool.send(mark) }
    }
  }

  // MARK: Async handlers

  /// An operation that takes some steps, and what its callers are told.
  private func playCalls() async {
    let operation = { @Sendable [timeline, label, second] (mark: Character) in
      if label == "run" { timeline.draw(mark) }
      try await timeline.clock.sleep(for: second)
      return mark
    }
    if drawing.numbers[0] == 3 {
      await playCalls(of: AsyncDebouncer(for: first, clock: clock, operation: operation))
    } else {
      await playCalls(of: AsyncThrottler(every: first, clock: clock, operation: operation))
    }
  }

  private func playCalls(of tool: some CallingTool<Character, Character>) async {
    await timeline.playAndSettle(row) { [timeline, label] mark in
      timeline.clock.run {
        let outcome = try await tool.call(mark)
        if label == "executed", outcome.value != nil { timeline.draw(mark) }
        if label == "superseded", outcome == .superseded { timeline.draw(mark) }
      }
    }
  }

  /// A handler that takes some steps, unless it is cancelled; the beginnings are drawn.
  private func playOverlap() async {
    let overlaps: [String: Overlap] = [
      ".keepLatest": .keepLatest, ".queue(2)": .queue(2), ".cancelPrevious": .cancelPrevious,
      ".dropNew": .dropNew, ".concurrent(2)": .concurrent(2),
    ]
    let tool = Debouncer<Character>(for: .zero, clock: clock).handle(
      overlap: overlaps[label]!,
      { [timeline, first] mark in
        timeline.draw(mark)
        try? await timeline.clock.sleep(for: first)
      })
    await timeline.playAndSettle(row) { tool.send($0) }
  }
}

/// A tool that takes marks.
private protocol MarkTool: PacingTool {
  func send(_ mark: Character)
}

extension Debouncer: MarkTool where Value == Character {}
extension Throttler: MarkTool where Value == Character {}
extension Auditor: MarkTool where Value == Character {}
extension Sampler: MarkTool where Value == Character {}
