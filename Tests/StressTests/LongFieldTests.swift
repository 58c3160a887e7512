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

  /// Sixteen times the input takes as long as the input sixteen times if linear, and sixteen times
  /// as long if quadratic: the bound lies a factor of four from both.
  ///
  /// Both last as long, in turns, so that what disturbs one disturbs the other. All of it fits the
  /// caches, for memory beyond them is many times slower.
  private func expectLinear(_ count: Int, _ texts: (Int) -> [String]) {
    let (short, long) = (texts(count), texts(16 * count))
    func time(_ texts: [String], times: Int) -> Duration {
      ThreadTime.measure {
        for _ in 0..<times {
          for text in texts {
            for name in Self.names { _ = RateLimitFields { $0 == name ? text : nil } }
          }
        }
      }
    }
    var (small, large) = (Duration.seconds(1000), Duration.seconds(1000))
    for _ in 0..<5 {
      small = min(small, time(short, times: 16))
      large = min(large, time(long, times: 1))
    }
    #expect(large < small * 4, "\(small) for \(count) sixteen times, \(large) for as many at once")
  }
}
