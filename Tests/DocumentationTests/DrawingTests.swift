import Foundation
import Testing

@Suite("Drawings")
struct DrawingTests {
  @Test("are what happens", arguments: Drawing.inGuides)
  func guides(drawing: Drawing) async throws {
    try await drawing.compareWithPlay()
  }

  @Test("of documentation comments are what happens", arguments: SourceDrawings.all)
  func comments(drawing: Drawing) async throws {
    try await drawing.compareWithPlay()
  }

  @Test("of documentation comments are all played")
  func known() throws {
    for path in try Repository.texts(in: "Sources/Pacing", withSuffix: ".swift").keys {
      let (found, known) = (try SourceDrawings.blocks(in: path), SourceDrawings.kinds[path] ?? [])
      #expect(found.count == known.count, "\(path) has \(found.count) drawings")
    }
  }

  @Test("stand in every guide, and so do snippets", arguments: Guides.names)
  func present(guide: String) throws {
    let text = try Repository.text(of: "Documentation/\(guide).md")
    #expect(!Drawing.all(in: text, place: guide).isEmpty, "no timeline in \(guide)")
    #expect(text.contains("<!-- snippet: "), "no snippet in \(guide)")
    let first = try #require(text.firstMatch(of: /-->\n!\[[^\]]*\]\([^)]*\)\n\n(?<next>[^\n]*)/))
    #expect(first.next.contains("A hollow circle is an input"), "no legend in \(guide)")
  }

  @Test("that are wrong, of calls or of async handlers, differ from what is played, and no more")
  func wrongCalls() async throws {
    for (words, label) in [
      ("calls 1 2", "executed"), ("calls 3 2", "run"), ("overlap 3", ".queue(2)"),
    ] {
      let drawing = Drawing(words, in: "", lines: ["sent ab----", "\(label) aaaaaa"])
      let played = try #require(await drawing.played(label))
      #expect(!played.isDrawn(as: "aaaaaa"), "\(words)")
    }
  }

  @Test("that are wrong differ from what is played")
  func wrong() async throws {
    let text = "<!-- timeline: debounce 2\nsent a---\ntrailing -a--\n-->\n"
    let drawing = Drawing.all(in: text, place: "")[0]
    let played = try #require(await drawing.played("trailing"))
    #expect(!played.isDrawn(as: drawing.rows[1].line))
    #expect(played.isDrawn(as: "--a-") && played.isDrawn(as: "--(a)-"))
    #expect(!played.isDrawn(as: "-(a)--"))
  }
}

extension Drawing {
  /// The drawings of the README and of the guides.
  static let inGuides: [Drawing] = {
    let guides = (try? Repository.guides()) ?? [:]
    return guides.sorted { $0.key < $1.key }.flatMap { path, text in
      all(in: text, place: Repository.name(of: path))
    }
  }()

  fileprivate func compareWithPlay() async throws {
    try #require(rows.count > 1)
    for row in rows.dropFirst() {
      let played = try #require(await played(row.label), "an unknown kind of drawing: \(kind)")
      let isDrawn = played.isDrawn(as: row.line)
      #expect(isDrawn, "\(kind): \(row.label) is \(played.line)")
    }
  }
}
