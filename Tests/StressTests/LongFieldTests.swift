import Foundation
import PacingHTTP
import TestSupport
import Testing

@Suite("RateLimitFields: very long input", .alone)
struct LongFieldTests {
  static let names = [
    "RateLimit", "RateLimit-Policy", "Retry-After", "Date", "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
  ]

  /// Pieces from which a hostile server can build a field of any length.
  static let pieces = [
    "\"", "\\\"", "a", "a;", "a=1;", "\"a\";r=1;t=1, ", "limit=1, ", ":", "YWJj", " ", "\t", ",",
    "9",
    "0.", "Sun, ", "06 Nov ", "-", "ü", "e\u{301}", "\u{1F1E9}\u{1F1EA}", "\u{1F468}\u{200D}",
    "\r\n", "\u{301}",
  ]

  @Test(
    "are read in a time that grows with their length, not with its square", arguments: pieces)
  func isLinear(piece: String) {
    func time(_ count: Int) -> Duration {
      let bare = String(repeating: piece, count: count)
      let texts = ["\"x" + bare, bare]
      let start = ThreadTime.now
      for text in texts {
        for name in Self.names { _ = RateLimitFields { $0 == name ? text : nil } }
      }
      return ThreadTime.now - start
    }
    _ = time(10)
    // Eight times the input takes 8 times as long if linear, 64 times if quadratic: the bound lies
    // between.
    let base = (0..<3).map { _ in time(1_000) }.min()!
    #expect((0..<3).contains { _ in time(8_000) < base * 24 }, "more than 24 times \(base)")
  }

  @Test("of one endless character are read in milliseconds")
  func combining() {
    let text = String(repeating: "\u{301}", count: 2_000_000)
    let start = ThreadTime.now
    for text in [text, " " + text, "1" + text, "1," + text] {
      for name in Self.names { _ = RateLimitFields { $0 == name ? text : nil } }
    }
    #expect(ThreadTime.now - start < .seconds(2))
  }
}
