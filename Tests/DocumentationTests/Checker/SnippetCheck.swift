/// Compares what guides show with what tests compile.
///
/// Both are given as texts by path, so that the check can itself be tested.
struct SnippetCheck {
  let guides: [String: String]
  let sources: [String: String]

  /// What is wrong, one line each; nothing where every block is compiled and every snippet shown.
  var problems: [String] {
    let guides = guides.sorted { $0.key < $1.key }.map { Guide($0.value, path: $0.key) }
    let sources = sources.sorted { $0.key < $1.key }.map { TestSource($0.value, path: $0.key) }
    let shown = guides.flatMap(\.snippets)
    let compiled = sources.flatMap(\.snippets)
    let byName = Dictionary(grouping: compiled, by: \.name)
    return guides.flatMap(\.problems) + sources.flatMap(\.problems)
      + byName.values.filter { $0.count > 1 }.map { "\($0[1].place): a second \($0[1].name)" }
      + compiled.filter { snippet in !shown.contains { $0.name == snippet.name } }
      .map { "\($0.place): no guide shows \($0.name)" }
      + shown.compactMap { difference(of: $0, from: byName[$0.name]?.first) }
  }

  private func difference(of shown: Snippet, from compiled: Snippet?) -> String? {
    guard let compiled else { return "\(shown.place): no test compiles \(shown.name)" }
    if let missing = shown.imports.subtracting(compiled.imports).first {
      return "\(shown.place): \(compiled.place) has no \(missing)"
    }
    guard shown.lines != compiled.lines else { return nil }
    let count = zip(shown.lines, compiled.lines).prefix { $0 == $1 }.count
    let lines = [shown, compiled].map { count < $0.lines.count ? $0.lines[count] : "(the end)" }
    return """
      \(shown.place): \(shown.name) differs from \(compiled.place) in its line \(count + 1)
        guide: \(lines[0])
        test:  \(lines[1])
      """
  }
}
