import Foundation
import Pacing
import PacingTesting
import Testing

@Suite("Drawings of operators")
struct OperatorDrawingTests {
  @Test("the guide's timelines are what the operators do", arguments: Drawing.operators)
  func guide(drawing: Drawing) throws {
    try #require(drawing.rows.count > 1)
    for row in drawing.rows.dropFirst() {
      let played = drawing.played(row.label)
      #expect(row.line == played, "\(drawing.kind): \(row.label)")
    }
  }

  @Test("the guide has its timelines")
  func count() {
    #expect(
      Drawing.operators.map(\.kind)
        == ["debounced", "throttled", "windows", "batched", "delayed", "timeout"])
  }
}

extension Drawing {
  fileprivate static let operators: [Drawing] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let guide = root.appending(path: "Documentation/Operators.md")
    return all(in: (try? String(contentsOf: guide, encoding: .utf8)) ?? "")
  }()

  private static let edges = ["leading": Edges.leading, "trailing": .trailing, "both": .both]

  /// What the operator does where the drawing has a row with this label.
  fileprivate func played(_ label: String) -> String {
    let first = Duration.seconds(numbers[0])
    return switch kind {
    case "debounced":
      play { $0.debounced(for: first, edges: Self.edges[label]!, clock: $1) }
    case "throttled":
      play { $0.throttled(every: first, edges: Self.edges[label]!, clock: $1) }
    case "windows":
      label == "audited"
        ? play { $0.audited(for: first, clock: $1) }
        : play { $0.sampled(every: first, clock: $1) }
    case "batched":
      play { [numbers] in
        $0.batched(
          maximumCount: numbers[0], maximumDelay: .seconds(numbers[1]), clock: $1)
      }
    case "delayed":
      play { $0.delayed(by: first, includingEnd: label == "end", clock: $1) }
    case "timeout":
      label == "first"
        ? play { $0.timeout(first: first, clock: $1) }
        : play { $0.timeout(after: first, clock: $1) }
    default: "an unknown kind of drawing"
    }
  }

  /// Plays the first row to an operator; elements are drawn as they are, batches by their number.
  private func play<Operated: AsyncSequence & Sendable>(
    _ operate: (AsyncStream<Character>, ManualClock) -> Operated
  ) -> String {
    let row = rows[0].line
    let timeline = Timeline(steps: row.count)
    let (source, input) = AsyncStream.makeStream(of: Character.self)
    let operated = operate(source, timeline.clock)
    let consumer = timeline.clock.run {
      do {
        var count = 0
        for try await element in operated {
          count += 1
          timeline.draw(element as? Character ?? Character("\(count)"))
        }
        if !Task.isCancelled { timeline.draw("|") }
      } catch {
        timeline.draw("#")
      }
    }
    timeline.play(row) { mark in
      if mark == "|" { input.finish() } else { input.yield(mark) }
    }
    consumer.cancel()
    timeline.clock.runReady()
    return timeline.line
  }
}
