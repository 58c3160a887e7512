import Foundation
import Testing

@Suite("Architecture.md")
struct ArchitectureTests {
  private static func graph() throws -> FolderGraph {
    let folder = "Sources/Pacing"
    return FolderGraph(
      sources: try Repository.texts(in: folder, withSuffix: ".swift")
        .reduce(into: [:]) { $0[String($1.key.dropFirst(folder.count + 1))] = $1.value })
  }

  @Test("shows the folders as they depend on each other")
  func folders() throws {
    let page = try Repository.text(of: "Documentation/Architecture.md")
    let block = try #require(page.firstMatch(of: /```text folders\n(?<lines>[^`]*)\n```/))
    let listed = block.lines.split(separator: "\n").map(String.init)
    let found = try Self.graph().table
    #expect(listed == found, "the folders are:\n\(found.joined(separator: "\n"))")
  }

  @Test("names files that exist, and tests that exist")
  func names() throws {
    let page = try Repository.text(of: "Documentation/Architecture.md")
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    try #require(rows.count > 15)
    let sources = try Repository.texts(in: "Sources", withSuffix: ".swift").keys
    let tests = try Repository.tests.get().values
    for row in rows {
      let cells = row.split(separator: "|").map(String.init)
      try #require(cells.count == 3, "\(row)")
      for match in cells[1].matches(of: /`([^`]+)`/) {
        #expect(sources.contains { $0.hasSuffix("/\(match.1).swift") }, "no file \(match.1)")
      }
      let suites = cells[2].matches(of: /`([^`]+)`/)
      #expect(!suites.isEmpty, "no test: \(row)")
      for match in suites {
        let exists = tests.contains { $0.contains("struct \(match.1)") }
        #expect(exists, "no suite \(match.1)")
      }
    }
  }

  @Test("walks through at most six files, by functions that exist", arguments: ["send", "acquire"])
  func walks(call: String) throws {
    let page = try Repository.text(of: "Documentation/Architecture.md")
    let part = page.split(separator: "\n## ").first {
      $0.hasPrefix("How a") && $0.contains("`\(call)`")
    }
    let steps = try #require(part).split(separator: "\n").filter { $0.first?.isNumber == true }
    let sources = try Repository.texts(in: "Sources/Pacing", withSuffix: ".swift")
    var files = Set<String>()
    for match in steps.joined().matches(of: /`(?<type>[A-Z]\w+)\.(?<function>\w+)`/) {
      let (type, function) = (match.type, match.function)
      let declaring = sources.filter { file in
        ["class", "struct", "enum", "protocol", "extension"].contains {
          file.value.contains("\($0) \(type)")
        } && ["(", "<"].contains { file.value.contains("func \(function)\($0)") }
      }.keys
      let file = declaring.first { $0.hasSuffix("/\(type).swift") } ?? declaring.first
      files.insert(try #require(file, "no \(type).\(function)"))
    }
    #expect((4...6).contains(files.count), "\(files.sorted())")
  }

  @Test("has no circle of folders, and no folder of more files than fit a screen")
  func order() throws {
    let graph = try Self.graph()
    #expect(graph.circles.isEmpty, "\(graph.circles)")
    for (folder, count) in graph.fileCounts { #expect(count <= 25, "\(folder) has \(count) files") }
  }

  @Test("a circle and a name that two folders declare are told apart")
  func planted() {
    let graph = FolderGraph(sources: [
      "A/One.swift": "struct One { let two: Two }\n// Three",
      "B/Two.swift": "struct Two {\n  let one: One }",
      "C/Three.swift": "struct Three { let name = \"Two\" }",
      "D/Four.swift": "enum Four { case three(Three) }", "E/Five.swift": "struct Three {}",
    ])
    #expect(graph.circles == ["A → B, by Two", "B → A, by One"])
    #expect(graph.table == ["C → nothing", "D → nothing", "E → nothing"])
  }
}
