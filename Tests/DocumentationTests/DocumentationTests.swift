import Foundation
import Testing

@Suite("Documentation")
struct DocumentationTests {
  /// The sources with snippets, by path.
  private static func sources() throws -> [String: String] {
    var sources = [String: String]()
    for folder in [
      "Tests/DocumentationTests/Snippets", "Tests/Services/Sources", "Tests/Services/Tests",
    ] {
      let texts = try Repository.texts(in: folder, withSuffix: ".swift")
      try #require(!texts.isEmpty)
      sources.merge(texts) { $1 }
    }
    return sources
  }

  @Test("shows nothing but code that is compiled")
  func snippets() throws {
    let guides = try Repository.guides().merging(Repository.frontPages()) { $1 }
    let sources = try Self.sources()
    for problem in SnippetCheck(guides: guides, sources: sources).problems {
      Issue.record("\(problem)")
    }
  }

  @Test("says how long the recipes' adapters are, in lines of code")
  func adapters() throws {
    let page = try Repository.text(of: "Documentation/Recipes/README.md")
    let snippets = try Self.sources().flatMap { TestSource($0.value, path: $0.key).snippets }
    let rows = page.matches(of: /\| `([a-z-]+)` \| (\d+) \|/)
    try #require(rows.count >= 9)
    for row in rows {
      let snippet = try #require(snippets.first { $0.name == row.1 }, "no \(row.1)")
      let code = snippet.lines.filter { !$0.isEmpty && !$0.contains(/^ *\/\//) }
      #expect(code.count == Int(row.2), "\(row.1) has \(code.count) lines")
    }
  }

  @Test("is all led to by its first page")
  func index() throws {
    let guides = try Repository.guides()
    for path in guides.keys where path.hasPrefix("Documentation/") && !path.hasSuffix("/README.md")
    {
      var folders = path.split(separator: "/").dropLast()
      var link = URL(filePath: path).lastPathComponent
      // A folder without a first page of its own is led to by that of the folder above.
      while guides["\(folders.joined(separator: "/"))/README.md"] == nil {
        link = "\(folders.removeLast())/\(link)"
      }
      let index = "\(folders.joined(separator: "/"))/README.md"
      #expect(guides[index]!.contains("](\(link))"), "\(index) has no link to \(path)")
    }
  }

  @Test("links to files and headings that exist")
  func links() throws {
    for problem in LinkCheck(guides: try Repository.guides()).problems(among: { path in
      FileManager.default.fileExists(atPath: Repository.root.appending(path: path).path)
    }) { Issue.record("\(problem)") }
  }

  @Test("a link to a heading or a file that is not there is told")
  func wrongLinks() {
    let guides = [
      "README.md": "[a](Two/Two.md#one) [b](Two/Two.md#two) [c](Two/Three.md) [d](https://e.f/g)",
      "Two/Two.md": "## `One`!\n[up](../README.md) [here](#one) [nowhere](#two)",
    ]
    let problems = LinkCheck(guides: guides).problems { guides.keys.contains($0) }
    #expect(
      problems == [
        "README.md: Two/Two.md has no heading #two", "README.md: no file Two/Three.md",
        "Two/Two.md: Two/Two.md has no heading #two",
      ])
  }

  @Test("has one choosing table: the README shows that of Choosing.md")
  func choosing() throws {
    func table(of path: String) throws -> Substring {
      let text = try Repository.text(of: path)
      return try #require(text.firstMatch(of: /\| You need \| Use \|(?:[^\n]|\n\|)*/)).0
    }
    let readme = try table(of: "README.md").replacing("](Documentation/", with: "](")
    #expect(readme == (try table(of: "Documentation/Choosing.md")))
  }
}
