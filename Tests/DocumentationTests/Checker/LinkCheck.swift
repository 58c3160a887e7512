import Foundation

/// Compares the links of guides with the files and the headings that they lead to.
struct LinkCheck {
  /// The texts of the guides, by path.
  let guides: [String: String]

  /// Says which links lead nowhere, one line each.
  ///
  /// - Parameter exists: Whether there is a file at a path from the root.
  /// - Returns: The lines, in the order of the guides' paths.
  func problems(among exists: (String) -> Bool) -> [String] {
    guides.sorted { $0.key < $1.key }.flatMap { path, text in
      text.matches(of: /\]\(([^)\s]+)\)/).compactMap { match in
        problem(of: String(match.1), in: path, exists)
      }
    }
  }

  private func problem(of link: String, in path: String, _ exists: (String) -> Bool) -> String? {
    guard !link.contains("://") else { return nil }
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let own = URL(filePath: "/" + path)
    let target =
      parts[0].isEmpty ? own : own.deletingLastPathComponent().appending(path: String(parts[0]))
    let file = String(target.standardized.path.dropFirst())
    guard exists(file) else { return "\(path): no file \(file)" }
    guard parts.count > 1, let text = guides[file] else { return nil }
    let anchor = String(parts[1])
    return Heading.all(in: text).contains { $0.slug == anchor }
      ? nil : "\(path): \(file) has no heading #\(anchor)"
  }
}
