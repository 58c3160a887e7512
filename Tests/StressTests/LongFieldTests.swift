import Pacing
import Testing

@Suite("RateLimitFields: very long input")
struct LongFieldTests {
  static let names = [
    "RateLimit", "RateLimit-Policy", "Retry-After", "Date", "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
  ]

  /// Pieces of which a hostile server can make a field as long as it likes.
  static let pieces = [
    "\"", "\\\"", "a", "a;", "a=1;", "\"a\";r=1;t=1, ", "limit=1, ", ":", "YWJj", " ", "\t", ",",
    "9",
    "0.", "Sun, ", "06 Nov ", "-", "ü", "e\u{301}", "\u{1F1E9}\u{1F1EA}", "\u{1F468}\u{200D}",
    "\r\n", "\u{301}",
  ]

  @Test(
    "are read in a time that grows with their length, not with its square", arguments: pieces)
  func isLinear(piece: String) {
    let clock = ContinuousClock()
    func time(_ count: Int) -> Duration {
      let text = "\"x" + String(repeating: piece, count: count)
      let bare = String(repeating: piece, count: count)
      return clock.measure {
        for text in [text, bare] {
          for name in Self.names { _ = RateLimitFields { $0 == name ? text : nil } }
        }
      }
    }
    _ = time(10)
    // What is 80 times as long takes 80 times as long, by the square 6400 times. The machine may be
    // busy: the bound is one-sided and generous, and one of three attempts has to keep it.
    let bound = time(100) * 400 + .seconds(1)
    #expect((0..<3).contains { _ in time(8000) < bound }, "more than \(bound)")
  }
}
