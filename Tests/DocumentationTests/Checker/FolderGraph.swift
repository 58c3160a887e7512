/// Which folder of a source tree names types of which other: the arrows between them.
///
/// It is read from the text, not from the compiler: a folder has an arrow to another if it names a
/// type that only the other declares. `.ci/lint` compiles this file alone.
struct FolderGraph {
  /// The folders that each folder names types of, and one of those types each.
  private(set) var arrows: [String: [String: String]] = [:]

  /// How many files each folder has.
  private(set) var fileCounts: [String: Int] = [:]

  /// Reads Swift sources, by their paths below the tree's root.
  init(sources: [String: String]) {
    let sources = sources.sorted { $0.key < $1.key }
      .map { (folder: Self.folder(of: $0.key), lines: Self.code(in: $0.value)) }
    var homes: [String: Set<String>] = [:]
    for (folder, lines) in sources {
      fileCounts[folder, default: 0] += 1
      arrows[folder] = [:]
      for name in lines.compactMap(Self.declaredType) { homes[name, default: []].insert(folder) }
    }
    for (folder, lines) in sources {
      for name in Set(lines.flatMap(Self.words)).sorted() {
        guard let homes = homes[name], homes.count == 1, let home = homes.first, home != folder
        else { continue }
        if arrows[folder]?[home] == nil { arrows[folder]?[home] = name }
      }
    }
  }

  /// The folders, each after all that it has arrows to; those on a circle are left out.
  var order: [String] {
    var order: [String] = []
    var left = Set(arrows.keys)
    while let next = left.sorted().first(where: { left.isDisjoint(with: arrows[$0]!.keys) }) {
      order.append(next)
      left.remove(next)
    }
    return order
  }

  /// The arrows between folders that lie on circles, or between two circles.
  var circles: [String] {
    var left = Set(arrows.keys).subtracting(order)
    // What only leads to a circle is named by no folder that is left.
    while let end = left.first(where: { end in left.allSatisfy { arrows[$0]![end] == nil } }) {
      left.remove(end)
    }
    return left.sorted().flatMap { folder in
      arrows[folder]!.sorted { $0.key < $1.key }.filter { left.contains($0.key) }
        .map { "\(folder) → \($0.key), by \($0.value)" }
    }
  }

  /// A line for each folder: its name, and the folders right below it.
  ///
  /// An arrow that a longer way stands for is left out.
  var table: [String] {
    let order = order
    var reach: [String: Set<String>] = [:]
    return order.map { folder in
      let targets = Set(arrows[folder]!.keys)
      let beyond = targets.reduce(into: Set()) { $0.formUnion(reach[$1]!) }
      reach[folder] = targets.union(beyond)
      let names = order.filter { targets.contains($0) && !beyond.contains($0) }
      return "\(folder) → \(names.isEmpty ? "nothing" : names.joined(separator: ", "))"
    }
  }

  // MARK: Reading

  private static func folder(of path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  /// The lines of a source without comments and without the text of strings.
  private static func code(in text: String) -> [String] {
    var lines: [String] = []
    var isInText = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.contains(#"""""#) {
        isInText.toggle()
        continue
      }
      if !isInText { lines.append(stripped(line)) }
    }
    return lines
  }

  private static func stripped(_ line: Substring) -> String {
    var code = ""
    var isInString = false
    var previous: Character = " "
    for character in line {
      if character == "\"", previous != "\\" {
        isInString.toggle()
      } else if !isInString {
        if character == "/", previous == "/" { return String(code.dropLast()) }
        code.append(character)
      }
      previous = character == "\\" && previous == "\\" ? " " : character
    }
    return code
  }

  /// The type that a line at the left margin declares for other files.
  private static func declaredType(in line: String) -> String? {
    guard let first = line.first, first != " " else { return nil }
    let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else {
      return nil
    }
    let modifiers = words[..<kind]
    guard !modifiers.contains("private"), !modifiers.contains("fileprivate") else { return nil }
    return words[kind + 1].first!.isUppercase ? String(words[kind + 1]) : nil
  }

  /// The words of a line that begin with a capital letter.
  private static func words(of line: String) -> [String] {
    line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
      .filter { $0.first!.isUppercase }.map(String.init)
  }
}
