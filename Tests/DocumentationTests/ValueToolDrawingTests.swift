import Foundation
import Pacing
import PacingTesting
import Testing

@Suite("Drawings of debouncers, throttlers and batchers")
struct ValueToolDrawingTests {
  @Test("are what the tools do", .timeLimit(.minutes(1)), arguments: Drawing.valueTools)
  func drawings(drawing: Drawing) async throws {
    try #require(drawing.rows.count > 1)
    for row in drawing.rows.dropFirst() {
      let played = await ValueToolPlay(drawing, label: row.label).line
      #expect(row.line == played, "\(drawing.kind): \(row.label)")
    }
  }

  @Test("a wrong drawing of calls or of async handlers differs from what is played, and no more")
  func wrong() async {
    let rows = (sent: "sent ab----", drawn: "row aaaaaa")
    for (kind, label) in [
      ("calls 1 2", "executed"), ("calls 3 2", "run"), ("overlap 3", ".queue(2)"),
    ] {
      let text = "<!-- timeline: \(kind) -->\n```text\n\(rows.sent)\n\(rows.drawn)\n```\n"
      let drawing = Drawing.all(in: text)[0]
      #expect(drawing.rows[1].line == "aaaaaa")
      let played = await ValueToolPlay(drawing, label: label).line
      #expect(played.count == 6 && played.contains("b"), "\(played)")
    }
  }

  @Test(
    "are all there",
    arguments: [
      ("Debouncing", ["debounce", "maximum", "kept", "varying", "verbs", "keyed", "calls"]),
      ("Throttling", ["throttle", "siblings", "kept", "verbs", "end", "keyed", "calls"]),
      ("Batching", ["batch", "weight", "gap", "grid"]), ("Delivering", ["overlap"]),
    ])
  func count(guide: String, kinds: [String]) {
    #expect(Drawing.all(inGuide: guide).map(\.kind) == kinds)
  }
}

extension Drawing {
  fileprivate static let valueTools =
    ["Debouncing", "Throttling", "Batching", "Delivering"].flatMap(all(inGuide:))

  /// The drawings of a guide of the documentation, by its name.
  fileprivate static func all(inGuide name: String) -> [Drawing] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let path = root.appending(path: "Documentation/\(name).md")
    return all(in: (try? String(contentsOf: path, encoding: .utf8)) ?? "")
  }
}
