import Foundation
import PacingHTTP
import TestSupport
import Testing

@Suite("RateLimitFields: very long input")
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
    expectLinear(1_000) { count in
      let bare = String(repeating: piece, count: count)
      return ["\"x" + bare, bare]
    }
  }

  @Test("of one endless character are read in a time that grows with their length")
  func combining() {
    expectLinear(5_000) { count in
      let text = String(repeating: "\u{301}", count: count)
      return [text, " " + text, "1" + text, "1," + text]
    }
  }

  /// Eight times the input takes 8 times as long if linear, 64 times if quadratic: the bound lies
  /// between.
  ///
  /// All of it fits the caches, for memory beyond them is many times slower.
  private func expectLinear(_ count: Int, _ texts: (Int) -> [String]) {
    func time(_ count: Int) -> Duration {
      let texts = texts(count)
      return ThreadTime.least {
        for text in texts {
          for name in Self.names { _ = RateLimitFields { $0 == name ? text : nil } }
        }
      }
    }
    let (small, large) = (time(count), time(8 * count))
    #expect(large < small * 24, "\(small) for \(count), \(large) for eight times as many")
  }
}
