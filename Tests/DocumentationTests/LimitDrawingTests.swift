import Foundation
import Pacing
import PacingTesting
import Testing

@Suite("Drawings: limits")
struct LimitDrawingTests {
  @Test("the guide's timelines are what the limits do", arguments: Self.drawings)
  func guide(drawing: Drawing) throws {
    try #require(drawing.rows.map(\.label) == ["asked", "fixed", "sliding", "bucket"])
    let (count, steps) = (drawing.numbers[0], drawing.numbers[1])
    let window = Duration.seconds(steps)
    let limits = [
      Limit.fixedWindow(count, per: window), .slidingWindow(count, per: window),
      .tokenBucket(rate: Rate(count, per: window), burst: count),
    ]
    for (row, limit) in zip(drawing.rows.dropFirst(), limits) {
      let timeline = Timeline(steps: drawing.rows[0].line.count)
      let limiter = RateLimiter(limit, clock: timeline.clock)
      timeline.play(drawing.rows[0].line) { mark in
        if limiter.tryAcquire() { timeline.draw(mark) }
      }
      #expect(row.line == timeline.line, "\(row.label)")
    }
  }

  @Test("the guide has its timeline")
  func count() {
    #expect(Self.drawings.map(\.kind) == ["limits"])
  }

  private static let drawings: [Drawing] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let guide = root.appending(path: "Documentation/RateLimiting.md")
    return Drawing.all(in: (try? String(contentsOf: guide, encoding: .utf8)) ?? "")
  }()
}
