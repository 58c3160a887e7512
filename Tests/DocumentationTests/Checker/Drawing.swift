import Foundation
import PacingTesting
import Testing

/// A drawn timeline: what is played, and its rows by their labels.
///
/// One character is one step. A `-` is a step in which nothing happens; what happens a second time
/// in one step is drawn in the next, or in a group: `(ab)`.
struct Drawing: CustomTestStringConvertible, Sendable {
  struct Row: Hashable {
    let label: String
    let line: String
    let note: String

    /// Reads a label, a line, and what is said about it.
    init(_ text: String) {
      let words = text.split(separator: " ", maxSplits: 2).map(String.init)
      label = words.first ?? ""
      line = words.dropFirst().first ?? ""
      note = words.count > 2 ? words[2].trimmingCharacters(in: .whitespaces) : ""
    }
  }

  /// Where it stands: the name of a guide, or the path of a source.
  let place: String
  let kind: String
  let numbers: [Int]
  let rows: [Row]

  /// Makes a drawing of the words that say what is played, and of the lines of its rows.
  init(_ words: String, in place: String, lines: some Sequence<String>) {
    let words = words.split(separator: " ").map(String.init)
    self.place = place
    kind = words.first ?? ""
    numbers = words.dropFirst().compactMap { Int($0) }
    rows = lines.map { Row($0) }
  }

  var testDescription: String { "\(place): \(kind)" }

  /// The row that is played.
  var input: String { rows.first?.line ?? "" }

  /// How many steps it has.
  var steps: Int { (try? Marbles(validating: input))?.steps.count ?? 0 }

  /// The row with this label.
  func line(of label: String) -> String {
    rows.first { $0.label == label }?.line ?? ""
  }

  /// The drawings of a guide: what stands between `<!-- timeline: kind numbers` and `-->`.
  static func all(in text: String, place: String) -> [Drawing] {
    var drawings = [Drawing]()
    var lines = text.components(separatedBy: "\n")[...]
    while let line = lines.popFirst() {
      guard let words = line.dropping(prefix: "<!-- timeline: ") else { continue }
      drawings.append(Drawing(words, in: place, lines: lines.prefix { $0 != "-->" }))
    }
    return drawings
  }
}
