import Foundation
import Testing

/// With `PACING_DRAW` in the environment, these tests write the articles instead of comparing them.
@Suite("Articles")
struct ArticleTests {
  private static let catalog = "Sources/Pacing/Pacing.docc"
  private static let isDrawing = ProcessInfo.processInfo.environment["PACING_DRAW"] != nil

  @Test("are what the guides say")
  func current() throws {
    let guides = try Repository.guides()
    let front = try Repository.text(of: "\(Self.catalog)/Pacing.md")
    let symbols = Set(front.matches(of: /- ``(\w+)``/).map { String($0.1) })
    try #require(symbols.count > 50)
    for path in Article.paths(in: guides) {
      let article = Article(path, among: guides, symbols: symbols)
      for problem in article.problems { Issue.record("\(problem)") }
      let copy = "\(Self.catalog)/Guides/\(Repository.name(of: path)).md"
      if Self.isDrawing {
        let file = Repository.root.appending(path: copy)
        try article.text.write(to: file, atomically: true, encoding: .utf8)
      } else {
        let text = try? Repository.text(of: copy)
        let isCurrent = text == article.text
        #expect(isCurrent, "\(copy) is not what \(path) says; .ci/draw rewrites it")
      }
    }
  }

  @Test("are there for each guide, with its pictures, and no others")
  func complete() throws {
    let guides = try Repository.guides()
    let names = Article.paths(in: guides).map { Repository.name(of: $0) }
    let copies = try Repository.texts(in: "\(Self.catalog)/Guides", withSuffix: ".md").keys
    #expect(Set(copies.map(Repository.name(of:))) == Set(names))
    let front = try Repository.text(of: "\(Self.catalog)/Pacing.md")
    for name in names { #expect(front.contains("<doc:\(name)>"), "Pacing.md leads to \(name)") }
    let pictures = try Repository.texts(in: "\(Self.catalog)/Timelines", withSuffix: ".svg")
    let expected = Drawing.inGuides.map { "\($0.name).svg" }
    #expect(Set(pictures.keys.map { URL(filePath: $0).lastPathComponent }) == Set(expected))
    for (path, picture) in pictures {
      let name = URL(filePath: path).lastPathComponent
      let isSame = try Repository.text(of: "Documentation/Timelines/\(name)") == picture
      #expect(isSame, "\(path) is not the guides' picture; .ci/draw copies it again")
    }
  }

  @Test("have links that a catalog understands")
  func links() {
    let guides = [
      "Documentation/One.md": """
      # One

      <!-- timeline: debounce 3
      sent a--
      -->
      ![Timeline: sent](Timelines/one-debounce.svg)
      [a](Two.md), [b](Two.md#which-value-c) and [c](#here), [d](CI.md) [e](https://a.b/c) [f](../x)

      ## Here

      <!-- snippet: one -->
      ```swift
      array[0](Two.md)
      ```
      """,
      "Documentation/Two.md": "# Two\n\n## Which value: `C`\n", "Documentation/CI.md": "",
    ]
    let article = Article("Documentation/One.md", among: guides)
    #expect(article.problems == [])
    #expect(
      article.text == """
        # One

        ![Timeline: sent](one-debounce.svg)
        [a](doc:Two), [b](doc:Two#Which-value-C) and [c](doc:One#Here), \
        d [e](https://a.b/c) f

        ## Here

        ```swift
        array[0](Two.md)
        ```
        """)
  }

  @Test("link the symbols that they name, but not in headings, labels and longer code")
  func symbols() {
    let text = "# `One`\n`One`, `Two` and [`One`](https://a.b), `One()`\n\n```swift\n`One`\n```"
    let article = Article(
      "Documentation/A.md", among: ["Documentation/A.md": text], symbols: ["One"])
    let lines = article.text.split(separator: "\n").prefix(2)
    #expect(lines == ["# `One`", "``One``, `Two` and [`One`](https://a.b), `One()`"])
  }

  @Test("have no link to a heading that is not there")
  func missing() {
    let guides = ["Documentation/One.md": "[a](#nowhere)"]
    #expect(Article("Documentation/One.md", among: guides).problems.count == 1)
  }
}
