import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Marbles: hostile input")
struct MarbleFuzzTests {
  private static let pieces: [Character] = [
    "-", "~", "(", ")", " ", "|", "#", "a", "b", "é", "🕰", "–", "−", "\0", "\n", "\u{200B}", "٣",
  ]

  @Test("never traps, and reads again what it read", arguments: Soak.seeds(200))
  func texts(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20 {
      let length = Int.random(in: 0...12, using: &random)
      let text = String((0..<length).map { _ in Self.pieces.randomElement(using: &random)! })
      do {
        let marbles = try Marbles(validating: text)
        #expect(try Marbles(validating: marbles.description) == marbles, "\(text.debugDescription)")
      } catch {
        #expect((0..<max(1, length)).contains(error.position), "\(text.debugDescription)")
        #expect(error.description.contains(error.reason))
      }
    }
  }

  @Test("a timeline of a hundred thousand steps is read and played")
  func length() throws {
    let clock = ManualClock(step: .nanoseconds(1))
    var count = 0
    clock.play(try Marbles(validating: String(repeating: "a-", count: 50_000))) { _ in count += 1 }
    #expect(count == 50_000)
  }
}
