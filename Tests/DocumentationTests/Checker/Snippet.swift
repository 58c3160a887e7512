import Foundation

/// A piece of code with a name: a region of a test source, or a block of a guide.
struct Snippet: Hashable {
  let name: String
  /// The lines, without the indentation that they share and without imports.
  let lines: [String]
  /// The imports that it shows, or those of the file it stands in.
  let imports: Set<String>
  /// The file and the line it begins after, for messages.
  let place: String

  init(name: String, lines: [String], imports: Set<String> = [], place: String) {
    self.name = name
    self.place = place
    let code = lines.dedented.filter { !$0.isImport }
    self.lines = code.drop { $0.isEmpty }.reversed().drop { $0.isEmpty }.reversed()
    self.imports = imports.union(lines.dedented.filter(\.isImport))
  }
}

extension String {
  var isImport: Bool { hasPrefix("import ") }

  /// The rest of the string after `prefix`, nil where it begins otherwise.
  func dropping(prefix: String, suffix: String = "") -> String? {
    guard hasPrefix(prefix), hasSuffix(suffix), count >= prefix.count + suffix.count else {
      return nil
    }
    return dropFirst(prefix.count).dropLast(suffix.count).trimmingCharacters(in: .whitespaces)
  }
}

extension [String] {
  /// The lines without the indentation that all of them share, and without spaces at their ends.
  fileprivate var dedented: [String] {
    let shared = filter { $0.contains { $0 != " " } }.map { $0.prefix { $0 == " " }.count }.min()
    return map { line in
      var kept = line.dropFirst(shared ?? 0)
      while kept.last == " " { kept.removeLast() }
      return String(kept)
    }
  }
}
