import Foundation
import Testing

/// A drawn timeline of a guide: what is played, and its rows by their labels.
///
/// One character is one step. A `-` is a step in which nothing happens; what happens a second time
/// in one step is drawn in the next.
struct Drawing: CustomTestStringConvertible {
  struct Row: Hashable {
    let label: String
    let line: String
  }

  let kind: String
  let numbers: [Int]
  let rows: [Row]

  var testDescription: String { kind }

  /// The drawings of a guide: the blocks after `<!-- timeline: kind numbers -->`.
  static func all(in text: String) -> [Drawing] {
    var drawings = [Drawing]()
    var lines = text.components(separatedBy: "\n")[...]
    while let line = lines.popFirst() {
      guard let marker = line.dropping(prefix: "<!-- timeline: ", suffix: "-->") else { continue }
      let words = marker.split(separator: " ").map(String.init)
      let rows = lines.dropFirst().prefix { $0 != "```" }.map { row in
        let words = row.split(separator: " ", maxSplits: 2)
        return Row(label: String(words.first ?? ""), line: String(words.dropFirst().first ?? ""))
      }
      let numbers = words.dropFirst().compactMap { Int($0) }
      drawings.append(Drawing(kind: words.first ?? "", numbers: numbers, rows: rows))
    }
    return drawings
  }
}
