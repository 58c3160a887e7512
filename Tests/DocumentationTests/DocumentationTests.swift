import Foundation
import Testing

@Suite("Documentation")
struct DocumentationTests {
  @Test("shows nothing but code that is compiled")
  func snippets() throws {
    let guides = try Repository.guides()
    let sources = try Repository.texts(
      in: "Tests/DocumentationTests/Snippets", withSuffix: ".swift")
    try #require(!sources.isEmpty)
    for problem in SnippetCheck(guides: guides, sources: sources).problems {
      Issue.record("\(problem)")
    }
  }

  @Test("is all led to by its first page")
  func index() throws {
    let index = try Repository.text(of: "Documentation/README.md")
    for path in try Repository.guides().keys where path.split(separator: "/").count == 2 {
      let link = "](\(Repository.name(of: path)).md)"
      #expect(path.hasSuffix("/README.md") || index.contains(link), "no link to \(path)")
    }
  }

  @Test("links to files that exist")
  func links() throws {
    for (path, text) in try Repository.guides() {
      let folder = Repository.root.appending(path: path).deletingLastPathComponent()
      for match in text.matches(of: /\]\(([^)#]+)[^)]*\)/) where !match.1.contains("://") {
        let target = folder.appending(path: String(match.1)).path
        #expect(FileManager.default.fileExists(atPath: target), "\(path): \(match.1)")
      }
    }
  }
}
