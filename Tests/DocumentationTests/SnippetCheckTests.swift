import Testing

@Suite("Snippet check")
struct SnippetCheckTests {
  private static let source = """
    import Pacing

    func example() {
      // snippet: one
      let a = 1

      if a == 1 {
        print(a)
      }
      // end
    }
    """

  private static let block = """
    ```swift
    let a = 1

    if a == 1 {
      print(a)
    }
    ```
    """

  /// A text, and what is wrong with it.
  struct Case: CustomTestStringConvertible {
    let text: String
    let message: String

    init(_ text: String, _ message: String) {
      self.text = text
      self.message = message
    }

    var testDescription: String { message }
  }

  private static func problems(guide: String, source: String = source) -> [String] {
    SnippetCheck(guides: ["G.md": guide], sources: ["S.swift": source]).problems
  }

  @Test(
    "accepts a block that is compiled, whatever its indentation",
    arguments: [
      Case("<!-- snippet: one -->\n\(block)", "as it is"),
      Case("<!-- snippet: one -->\n\n\(block)", "after an empty line"),
      Case("  <!-- snippet: one -->\n  " + block.replacing("\n", with: "\n  "), "in a list"),
      Case(
        "<!-- snippet: one -->\n" + block.replacing("let a", with: "import Pacing\n\nlet a"),
        "with the import"),
      Case(
        "<!-- snippet: one -->\n\(block)\n\n```swift manifest\n.package()\n```\n```sh\nls\n```",
        "beside other blocks"),
    ])
  func accepted(guide: Case) {
    #expect(Self.problems(guide: guide.text) == [])
  }

  @Test(
    "finds what is wrong with a guide",
    arguments: [
      Case(block, "no test compiles it"),
      Case("<!-- snippet: two -->\n\(block)", "no test compiles two"),
      Case("<!-- snippet: one -->\n" + block.replacing("= 1", with: "= 2"), "differs"),
      Case("<!-- snippet: one -->\n" + block.replacing("  print", with: "print"), "differs"),
      Case("<!-- snippet: one -->\n" + block.replacing("}\n", with: ""), "guide: (the end)"),
      Case("<!-- snippet: one -->\n" + block.replacing("\n\n", with: "\n"), "differs"),
      Case(
        "<!-- snippet: one -->\n" + block.replacing("let", with: "import Dispatch\nlet"),
        "has no import Dispatch"),
      Case("<!-- snippet: one -->\ntext\n\(block)", "no block of code follows"),
      Case("<!-- snippet: one -->\n```sh\nls\n```", "not Swift"),
      Case("<!-- snippet: one -->\n\(block)\n<!-- snippet: one -->", "no block of code follows"),
      Case("<!-- snippet: one -->\n```swift\nlet a = 1", "the block has no end"),
      Case("<!-- snippet: one -->\n\(block)\n```Swift\nlet a = 1\n```", "no test compiles it"),
      Case("<!-- snippet: one -->\n\(block)\n```swift ignore\nlet a = 1\n```", "the info string"),
      Case("<!-- snippet: one -->\n\(block)\n~~~swift\nlet a = 1\n~~~", "write a block with"),
      Case("no code", "no guide shows one"),
    ])
  func wrongGuide(guide: Case) {
    let problems = Self.problems(guide: guide.text)
    #expect(problems.contains { $0.contains(guide.message) }, "\(problems)")
  }

  @Test(
    "finds what is wrong with a source",
    arguments: [
      Case(source.replacing("  // end\n", with: ""), "one has no end"),
      Case(source + "\n// end\n", "an end without a snippet"),
      Case(source + "\n// snippet: one\n// end\n", "a second one"),
      Case(source + "\n// snippet: two\n// end\n", "no guide shows two"),
      Case(source + "\n// snippet: two\n// snippet: three\n// end\n", "two has no end"),
    ])
  func wrongSource(source: Case) {
    let problems = Self.problems(
      guide: "<!-- snippet: one -->\n\(Self.block)", source: source.text)
    #expect(problems.contains { $0.contains(source.message) }, "\(problems)")
  }
}
