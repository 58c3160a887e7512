import Diagrams
import Foundation
import Testing

/// With `PACING_DRAW` in the environment, these tests draw the pictures instead of comparing them.
@Suite("Pictures")
struct PictureTests {
  private static let isDrawing = ProcessInfo.processInfo.environment["PACING_DRAW"] != nil

  /// So wide that the text has nine pixels or more where a phone shows 360 of them.
  private static let width = 480

  @Test("are drawn from what happens", arguments: Drawing.inGuides)
  func current(drawing: Drawing) async throws {
    let path = "Documentation/Timelines/\(drawing.name).svg"
    let svg = try await Picture([drawing.diagram], width: Self.width).svg
    if Self.isDrawing {
      try svg.write(to: Repository.root.appending(path: path), atomically: true, encoding: .utf8)
    } else {
      let isCurrent = try Repository.text(of: path) == svg
      #expect(isCurrent, "\(path) is not what happens; .ci/draw draws it again")
    }
  }

  @Test("have their description as the text for readers that cannot see them")
  func described() async throws {
    var texts = try Repository.guides()
    texts.merge(try Repository.texts(in: "Sources/Pacing/Pacing.docc/Symbols", withSuffix: ".md")) {
      $1
    }
    texts["Sources/Pacing/Pacing.docc/Pacing.md"] = try Repository.frontPages()[
      "Sources/Pacing/Pacing.docc/Pacing.md"]
    var descriptions = [String: String]()
    for drawing in Drawing.inGuides {
      descriptions[drawing.name] = try await Picture([drawing.diagram]).description
    }
    for (path, text) in texts {
      let described = text.replacing(/!\[[^\]]*\]\(([^)]*?)([\w-]+)\.svg\)/) { match in
        descriptions[String(match.2)].map { "![\($0)](\(match.1)\(match.2).svg)" }
          ?? String(match.0)
      }
      if Self.isDrawing {
        let file = Repository.root.appending(path: path)
        if described != text { try described.write(to: file, atomically: true, encoding: .utf8) }
      } else {
        #expect(described == text, "\(path) describes a picture otherwise; .ci/draw corrects it")
      }
    }
  }

  @Test("are all shown, below the lines that they are drawn from")
  func shown() throws {
    var names = Set<String>()
    for (path, text) in try Repository.guides() {
      let depth = path.split(separator: "/").count - 2
      let folder =
        depth < 0 ? "Documentation/Timelines" : "\(String(repeating: "../", count: depth))Timelines"
      let images = text.matches(of: /-->\n!\[[^\]]+\]\(([^)]+)\)/).map { String($0.1) }
      let drawings = Drawing.all(in: text, place: Repository.name(of: path))
      #expect(images == drawings.map { "\(folder)/\($0.name).svg" }, "\(path)")
      names.formUnion(drawings.map { "\($0.name).svg" })
    }
    let folder = Repository.root.appending(path: "Documentation/Timelines").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(files) == names)
  }

  @Test("are the same for the same drawing, and others for another")
  func pure() async throws {
    func svg(_ row: String) async throws -> String {
      let lines = ["sent \(row)", "trailing ----"]
      return try await Picture([Drawing("debounce 2", in: "", lines: lines).diagram]).svg
    }
    #expect(try await svg("a---") == svg("a---"))
    #expect(try await svg("a---") != svg("b---"))
  }

  @Test("escape what they are told")
  func escaped() {
    let lane = Lane("a<b", note: "c & d", marks: [Mark(">", at: 0)])
    let svg = Picture([Diagram(title: "<script>", lanes: [lane], steps: 2)]).svg
    for text in ["a&lt;b", "c &amp; d", "&gt;</text>", "&lt;script&gt;"] {
      #expect(svg.contains(text))
    }
  }

  @Test("continue below what does not fit their width, and lose no mark and no step")
  func wrapped() throws {
    let marks = (0..<20).map { Mark("\($0)", at: Double($0)) }
    let diagram = Diagram(title: "a", lanes: [Lane("a", note: "b", marks: marks)], steps: 20)
    let (wide, wrapped) = (Picture([diagram]).svg, Picture([diagram], width: 400).svg)
    for text in [wide, wrapped] {
      #expect(text.matches(of: /<rect x="\d+" y="\d+" width="\d+" height="24"/).count == 20)
      #expect(text.matches(of: /class="ruler"/).count == 4)
      #expect(text.matches(of: /class="(title|note)"/).count == 2)
    }
    func width(of svg: String) throws -> Int {
      try #require(svg.firstMatch(of: /width="(\d+)"/).flatMap { Int($0.1) })
    }
    #expect(try width(of: wide) > 600 && width(of: wrapped) <= 400)
  }

  @Test("put what happens at one moment on a pile, and each moment in its place")
  func piles() {
    func svg(_ marks: [Mark]) -> String {
      Picture([Diagram(lanes: [Lane("a", marks: marks)], steps: 9)]).svg
    }
    let (one, two) = (svg([Mark("a", at: 3)]), svg([Mark("a", at: 3), Mark("b", at: 3)]))
    func circles(in svg: String) -> [String] {
      svg.matches(of: /<rect x="(\d+)" y="(\d+)" width="24"/).map { "\($0.1) \($0.2)" }
    }
    #expect(circles(in: one) == ["104 7"])
    #expect(circles(in: two) == ["104 7", "104 33"])
  }
}
