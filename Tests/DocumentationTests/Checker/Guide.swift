import Foundation

/// A guide in Markdown, with its blocks of Swift.
///
/// The line before a block names its snippet: `<!-- snippet: name -->`. A block with the info
/// string `swift manifest` is a part of a package manifest and is left alone.
struct Guide {
  private(set) var snippets = [Snippet]()
  private(set) var problems = [String]()

  private struct Block {
    let info: String
    let name: String?
    let place: String
    var lines = [String]()
  }

  init(_ text: String, path: String) {
    var open: Block?
    var name: String?
    for (number, line) in text.components(separatedBy: "\n").enumerated() {
      let place = "\(path):\(number + 1)"
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if let block = open {
        if trimmed == "```" {
          close(block)
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if trimmed.hasPrefix("```") {
        open = Block(info: trimmed.dropFirst(3).lowercased(), name: name, place: place)
        name = nil
      } else {
        if let name, !trimmed.isEmpty {
          problems.append("\(place): no block of code follows the marker of \(name)")
        }
        if !trimmed.isEmpty { name = trimmed.dropping(prefix: "<!-- snippet: ", suffix: "-->") }
        if trimmed.hasPrefix("~~~") { problems.append("\(place): write a block with ```") }
      }
    }
    if let name { problems.append("\(path): no block of code follows the marker of \(name)") }
    if let open { problems.append("\(open.place): the block has no end") }
  }

  private mutating func close(_ block: Block) {
    switch (block.info, block.name) {
    case ("swift", let name?):
      snippets.append(Snippet(name: name, lines: block.lines, place: block.place))
    case ("swift", nil):
      problems.append("\(block.place): Swift without a snippet; no test compiles it")
    case (_, let name?):
      problems.append("\(block.place): the marker of \(name) is on a block that is not Swift")
    case (let info, nil):
      guard info.hasPrefix("swift"), info != "swift manifest" else { return }
      problems.append("\(block.place): the info string is swift, or swift manifest")
    }
  }
}
