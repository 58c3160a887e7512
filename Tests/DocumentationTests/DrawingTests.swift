import Foundation
import Pacing
import PacingTesting
import Testing

@Suite("Drawings")
struct DrawingTests {
  @Test("the README's timelines are what the tools do", arguments: Drawing.readme)
  func readme(drawing: Drawing) throws {
    try #require(drawing.rows.count > 1)
    for row in drawing.rows.dropFirst() {
      #expect(row.line == drawing.played(row.label), "\(drawing.kind): \(row.label)")
    }
  }

  @Test("a wrong drawing differs from what is played")
  func wrong() {
    let text = "<!-- timeline: debounce 2 -->\n```text\nsent a---\ntrailing -a--\n```\n"
    let drawing = Drawing.all(in: text)[0]
    #expect(drawing.rows[1].line == "-a--")
    #expect(drawing.played("trailing") == "--a-")
  }

  @Test("the README has its timelines")
  func count() {
    #expect(
      Drawing.readme.map(\.kind) == ["debounce", "throttle", "bucket", "backoff", "missed"])
  }
}

extension Drawing {
  fileprivate static let readme: [Drawing] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let text = try? String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    return all(in: text ?? "")
  }()

  private static let edges = ["leading": Edges.leading, "trailing": .trailing, "both": .both]
  private static let policies = [
    "skip": MissedTicks.skip, "coalesce": .coalesce, "delay": .delay, "burst": .burst,
  ]

  /// What the tool does where the drawing has a row with this label.
  fileprivate func played(_ label: String) -> String {
    let timeline = Timeline(steps: rows[0].line.count)
    let first = Duration.seconds(numbers[0])
    switch kind {
    case "debounce":
      let tool = Debouncer<Character>(
        for: first, edges: Self.edges[label]!, clock: timeline.clock, handler: timeline.draw)
      timeline.play(rows[0].line, tool.send)
    case "throttle":
      let tool = Throttler<Character>(
        every: first, edges: Self.edges[label]!, clock: timeline.clock, handler: timeline.draw)
      timeline.play(rows[0].line, tool.send)
    case "bucket": playBucket(waiting: label == "acquire", on: timeline)
    case "backoff":
      let tool = RetryTimer(backoff: .exponential(from: first), clock: timeline.clock) { attempt in
        timeline.draw(Character("\(attempt.number)"))
      }
      timeline.play(rows[0].line) { mark in
        if mark == "s" { tool.succeeded() } else { tool.scheduleNext() }
      }
    case "missed": playMissed(Self.policies[label]!, on: timeline)
    default: return "an unknown kind of drawing"
    }
    return timeline.line
  }

  private func playBucket(waiting: Bool, on timeline: Timeline) {
    let bucket = TokenBucket(
      rate: .every(.seconds(numbers[1])), burst: numbers[0], clock: timeline.clock)
    timeline.play(rows[0].line) { mark in
      if waiting {
        _ = bucket.acquire { _ in timeline.draw(mark) }
      } else if bucket.tryAcquire() {
        timeline.draw(mark)
      }
    }
  }

  private func playMissed(_ policy: MissedTicks, on timeline: Timeline) {
    let timer = DispatchTimer.scheduled(
      every: .seconds(numbers[0]), first: .now, missed: policy, clock: timeline.clock
    ) { tick in timeline.draw(Character("\(tick.index)")) }
    timeline.clock.advance(by: .seconds(numbers[1]))
    timeline.clock.lapse(by: .seconds(numbers[2] - numbers[1]))
    timeline.clock.advance(by: .seconds(rows[0].line.count - 1 - numbers[2]))
    timer.cancel()
  }
}
