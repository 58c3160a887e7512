import Pacing
import TestSupport
import Testing

@testable import pace

@Suite("pace: hostile arguments")
struct HostileArgumentTests {
  private static let texts = [
    "300ms", "1.5s", "2m", "1h", "0.000000001s", "292y", "9223372036854775806ns", "106751d",
    "100/s", "5/m", "2.5/s", "10/200ms", "100ms..20s", "1", "-1", "", "9223372036854775807",
    "18446744073709551615d", "0.9999999999999999d", "1..2..3", "1s..", "..", "1/1/1",
  ]

  private static let pieces = [
    "0", "9", ".", "..", "/", "-", "+", "e", "ns", "us", "µs", "μs", "ms", "s", "m", "min", "h",
    "d", " ", "\n", "\0", "٣", "９", "🕰", "\u{301}", "99999999999999999999", "0x", "_",
  ]

  private static func text(_ random: inout SplitMix64) -> String {
    var characters = Array(texts.randomElement(using: &random)!)
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let place = Int.random(in: 0...characters.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: characters.insert(contentsOf: pieces.randomElement(using: &random)!, at: place)
      case 1 where place < characters.count: characters.remove(at: place)
      default: characters = Array(characters[..<place])
      }
    }
    return String(characters)
  }

  /// Nil where it is refused: by one line that says what was wrong.
  private func parsed<Value>(_ body: () throws(CommandError) -> Value, _ text: String) -> Value? {
    do {
      return try body()
    } catch {
      let isOneLine = error.message?.contains(where: \.isNewline) == false
      #expect(error.status == .usage && isOneLine, "\(text.debugDescription): \(error)")
      return nil
    }
  }

  @Test(
    "what is accepted is positive and finite, what is not is one line", arguments: Soak.seeds(40))
  func texts(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<250 {
      let text = Self.text(&random)
      if let duration = parsed({ () throws(CommandError) in try DurationText.parse(text) }, text) {
        #expect(duration > .zero && duration < .nanoseconds(Int64.max), "\(text)")
      }
      if let count = parsed({ () throws(CommandError) in try CountText.parse(text) }, text) {
        #expect(count > 0, "\(text)")
      }
      _ = parsed({ () throws(CommandError) in try RateText.parse(text) }, text)
      if let backoff = parsed({ () throws(CommandError) in try BackoffText.parse(text) }, text) {
        #expect(backoff.backoff.delays().prefix(100).allSatisfy { $0 > .zero }, "\(text)")
      }
    }
  }

  @Test("no text is too long")
  func length() {
    let digits = String(repeating: "9", count: 100_000)
    for text in [digits, digits + "s", "1." + digits + "s", digits + "/s", "1s.." + digits] {
      #expect(throws: CommandError.self) { () throws(CommandError) in try DurationText.parse(text) }
      #expect(throws: CommandError.self) { () throws(CommandError) in try RateText.parse(text) }
      #expect(throws: CommandError.self) { () throws(CommandError) in try CountText.parse(text) }
    }
  }
}
