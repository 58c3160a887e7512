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
