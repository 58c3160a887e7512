import Foundation

/// A guide as an article of the documentation catalog.
///
/// On a git host, links are paths and anchors, and pictures are in a folder; in a catalog, links
/// are names, and there are no folders. A link to a page that is no article is its label alone.
struct Article {
  private(set) var text = ""
  private(set) var problems = [String]()

  /// The pages under Documentation that are about the project, and not about the library.
  private static let others: Set = [
    "README", "Architecture", "CI", "CHANGELOG", "Performance", "Shell",
  ]

  /// The paths of the guides that are articles.
  static func paths(in guides: [String: String]) -> [String] {
    guides.keys.filter { path in
      let folders = path.split(separator: "/").dropLast()
      let isGuide = folders == ["Documentation"] || folders == ["Documentation", "Recipes"]
      return folders == ["Documentation", "Migrating"]
        || isGuide && !others.contains(Repository.name(of: path))
    }.sorted()
  }

  /// Makes an article.
  ///
  /// - Parameters:
  ///   - path: The guide.
  ///   - guides: The texts of all guides, by path.
  ///   - symbols: The names to link when they are the whole of a piece of code.
  init(_ path: String, among guides: [String: String], symbols: Set<String> = []) {
    var lines = [String]()
    var isCode = false
    var isComment = false
    for line in (guides[path] ?? "").components(separatedBy: "\n") {
      if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") { isCode.toggle() }
      if line.hasPrefix("<!--") { isComment = true }
      if !isComment {
        let visible = isCode ? line : line.replacing(#/ <!-- .* -->$/#, with: "")
        lines.append(
          isCode ? line : Self.naming(symbols, in: linked(visible, from: path, guides)))
      }
      if isComment, line.hasSuffix("-->") { isComment = false }
    }
    text = lines.joined(separator: "\n").replacing("```swift manifest", with: "```swift")
  }

  private mutating func linked(
    _ line: String, from path: String, _ guides: [String: String]
  ) -> String {
    var text = ""
    var rest = line[...]
    while let match = rest.firstMatch(of: /\[([^\[\]]*)\]\(([^)\s]+)\)/) {
      let target = destination(String(match.2), from: path, guides)
      text += rest[..<match.range.lowerBound]
      text += target.map { "[\(match.1)](\($0))" } ?? String(match.1)
      rest = rest[match.range.upperBound...]
    }
    return text + rest
  }

  private mutating func destination(
    _ target: String, from path: String, _ guides: [String: String]
  ) -> String? {
    if target.contains("://") { return target }
    if let picture = target.firstMatch(of: /^(?:\.\.\/)?Timelines\/(.+)/) {
      return String(picture.1)
    }
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let own = URL(filePath: "/" + path)
    let folder = own.deletingLastPathComponent()
    let full = parts[0].isEmpty ? own : folder.appending(path: String(parts[0]))
    let file = String(full.standardized.path.dropFirst())
    let anchor = parts.count > 1 ? String(parts[1]) : nil
    guard Self.paths(in: guides).contains(file) else { return nil }
    let page = "doc:" + Repository.name(of: file)
    guard let anchor else { return page }
    guard let heading = Heading.all(in: guides[file]!).first(where: { $0.slug == anchor }) else {
      problems.append("\(path): \(file) has no heading for #\(anchor)")
      return page
    }
    return page + "#" + heading.fragment
  }

  /// Links the names of symbols outside headings and labels of links.
  private static func naming(_ symbols: Set<String>, in line: String) -> String {
    let pieces = line.split(separator: "`", omittingEmptySubsequences: false)
    guard !line.hasPrefix("#"), !pieces.count.isMultiple(of: 2) else { return line }
    var depth = 0
    return pieces.enumerated().map { index, piece in
      if index.isMultiple(of: 2) {
        for character in piece { depth += character == "[" ? 1 : character == "]" ? -1 : 0 }
        return String(piece)
      }
      let isLinked = depth == 0 && symbols.contains(String(piece))
      return isLinked ? "``\(piece)``" : "`\(piece)`"
    }.joined()
  }
}
