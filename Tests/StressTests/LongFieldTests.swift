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
    expectLinear(500) { count in
      let bare = String(repeating: piece, count: count)
      return ["\"x" + bare, bare]
    }
  }

  @Test("of one endless character are read in a time that grows with their length")
  func combining() {
    expectLinear(2_500) { count in
      let text = String(repeating: "\u{301}", count: count)
      return [text, " " + text, "1" + text, "1," + text]
    }
  }

  /// Sixteen times the input takes 16 times as long if linear, 256 times if quadratic: the bound
  /// lies a factor of four from both, since other tests may take the caches from one of them.
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
    let (small, large) = (time(count), time(16 * count))
    #expect(large < small * 64, "\(small) for \(count), \(large) for sixteen times as many")
  }
}
