import Foundation
import Testing

@Suite("Documentation")
struct DocumentationTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("shows nothing but code that is compiled")
  func snippets() throws {
    var guides = try Self.texts(in: "Documentation", withSuffix: ".md")
    guides["README.md"] = try Self.text(of: "README.md")
    let sources = try Self.texts(in: "Tests/DocumentationTests/Snippets", withSuffix: ".swift")
    try #require(!sources.isEmpty)
    for problem in SnippetCheck(guides: guides, sources: sources).problems {
      Issue.record("\(problem)")
    }
  }

  @Test("links to files that exist")
  func links() throws {
    var guides = try Self.texts(in: "Documentation", withSuffix: ".md")
    guides["README.md"] = try Self.text(of: "README.md")
    for (path, text) in guides {
      let folder = Self.root.appending(path: path).deletingLastPathComponent()
      for match in text.matches(of: /\]\(([^)#]+)[^)]*\)/) where !match.1.contains("://") {
        let target = folder.appending(path: String(match.1)).path
        #expect(FileManager.default.fileExists(atPath: target), "\(path): \(match.1)")
      }
    }
  }

  @Test("draws nothing but what is played")
  func drawings() throws {
    let tests = try Self.texts(in: "Tests/DocumentationTests", withSuffix: "Tests.swift").values
    for (path, text) in try Self.texts(in: "Documentation", withSuffix: ".md")
    where !Drawing.all(in: text).isEmpty {
      let name = path.dropFirst("Documentation/".count).dropLast(".md".count)
      #expect(
        tests.contains { $0.contains(path) || $0.contains("\"\(name)\"") }, "no test plays \(path)")
    }
  }

  private static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The texts of the files of a folder and of the folders in it, by path.
  private static func texts(
    in folder: String, withSuffix suffix: String
  ) throws -> [String: String] {
    let folderPath = root.appending(path: folder).path
    var texts = [String: String]()
    for path in try FileManager.default.subpathsOfDirectory(atPath: folderPath)
    where path.hasSuffix(suffix) {
      texts["\(folder)/\(path)"] = try text(of: "\(folder)/\(path)")
    }
    return texts
  }
}
