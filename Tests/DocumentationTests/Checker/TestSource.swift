import Foundation

/// A test source with regions between `// snippet: name` and `// end`.
struct TestSource {
  private(set) var snippets = [Snippet]()
  private(set) var problems = [String]()

  init(_ text: String, path: String) {
    let imports = Set(text.components(separatedBy: "\n").filter(\.isImport))
    var open: (name: String, place: String, lines: [String])?
    for (number, line) in text.components(separatedBy: "\n").enumerated() {
      let place = "\(path):\(number + 1)"
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if let name = trimmed.dropping(prefix: "// snippet: ") {
        if let open { problems.append("\(open.place): \(open.name) has no end") }
        open = (name, place, [])
      } else if trimmed == "// end" {
        guard let region = open else {
          problems.append("\(place): an end without a snippet")
          continue
        }
        snippets.append(
          Snippet(name: region.name, lines: region.lines, imports: imports, place: region.place))
        open = nil
      } else {
        open?.lines.append(line)
      }
    }
    if let open { problems.append("\(open.place): \(open.name) has no end") }
  }
}
