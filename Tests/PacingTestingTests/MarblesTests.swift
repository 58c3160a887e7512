import Pacing
import PacingTesting
import Testing

@Suite("Marbles")
struct MarblesTests {
  @Test(
    "reads steps, groups and late steps",
    arguments: [
      ("", []),
      ("a-b", [.marks(["a"]), .marks([]), .marks(["b"])]),
      ("(ab)-|", [.marks(["a", "b"]), .marks([]), .marks(["|"])]),
      ("~a(1#)", [.late, .marks(["a"]), .marks(["1", "#"])]),
      ("é!👍🏽", [.marks(["é"]), .marks(["!"]), .marks(["👍🏽"])]),
    ] as [(String, [Marbles.Step])])
  func reads(text: String, steps: [Marbles.Step]) throws {
    #expect(try Marbles(validating: text).steps == steps)
    #expect(Marbles(steps).description == text)
  }

  @Test("leaves out spaces, which are no steps")
  func spaces() throws {
    #expect("  a - (b c)   d " as Marbles == "a-(bc)d")
    #expect(try Marbles(validating: "   ").steps.isEmpty)
  }

  @Test(
    "says what is wrong with a text, and where",
    arguments: [
      ("a-(b", 2, "a group that has no end"),
      ("ab)", 2, "the end of a group that has no beginning"),
      ("a()", 2, "an empty group"),
      ("(a(b))", 2, "a group within a group"),
      ("(a-b)", 2, "no time passes within it"),
      ("(a~)", 2, "no time passes within it"),
      ("a–b", 1, "a dash that is not the -"),
      ("a\u{2212}b", 1, "a minus sign that is not the -"),
      ("a\nb", 1, "cannot be seen"),
      ("a\tb", 1, "cannot be seen"),
      ("a\u{200B}b", 1, "cannot be seen"),
      ("a\u{A0}b", 1, "cannot be seen"),
    ])
  func refuses(text: String, position: Int, reason: String) throws {
    let error = try #require(throws: MarbleError.self) { try Marbles(validating: text) }
    #expect(error.text == text && error.position == position)
    #expect(error.reason.contains(reason))
    let lines = error.description.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[2] == String(repeating: " ", count: position + 2) + "^")
  }

  #if os(Linux) || os(macOS)
    @Test("a bad literal stops the test with the same words")
    func badLiteral() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        print("a-(b" as Marbles)
      }
      let message = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(message.contains("a group that has no end\n  a-(b\n    ^"))
    }
  #endif

  @Test("a mark that cannot be written alone is shown, and equals nothing that is written")
  func unwritable() throws {
    let drawn = Marbles([.marks(["-"]), .marks(["("])])
    #expect(drawn.description == "(-)(()")
    #expect(drawn != "--")
    #expect(throws: MarbleError.self) { try Marbles(validating: drawn.description) }
  }

  @Test("reads every text or refuses it, and what it reads is written alike", arguments: 0..<300)
  func fuzz(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let alphabet = Array("--ab(()) |#~\u{301}é\n–")
    for _ in 0..<20 {
      let length = Int.random(in: 0...12, using: &generator)
      let text = String((0..<length).map { _ in alphabet.randomElement(using: &generator)! })
      guard let marbles = try? Marbles(validating: text) else { continue }
      let again = try? Marbles(validating: marbles.description)
      #expect(again == marbles, "seed \(seed): \(text.debugDescription)")
    }
  }
}
