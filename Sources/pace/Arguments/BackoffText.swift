import Pacing

/// The delays between attempts as people type them: `500ms` or `100ms..10s`.
struct BackoffText: Equatable {
  /// The delay before the second attempt.
  let first: Duration

  /// The upper bound of the doubled delays, or nil if all delays are equal.
  let limit: Duration?

  /// The default.
  static let standard = BackoffText(first: .milliseconds(100), limit: .seconds(10))

  /// The backoff with these delays and without jitter.
  var backoff: Backoff {
    limit.map { .exponential(from: first).capped(at: $0) } ?? .constant(first)
  }

  /// The delays that `text` describes.
  ///
  /// - Throws: A usage error unless `text` is one duration, or two in ascending order.
  static func parse(_ text: String) throws(CommandError) -> BackoffText {
    let bytes = text.utf8
    var start = bytes.startIndex
    while let dot = bytes[start...].firstIndex(of: UInt8(ascii: ".")) {
      let next = bytes.index(after: dot)
      guard next < bytes.endIndex, bytes[next] == UInt8(ascii: ".") else {
        start = next
        continue
      }
      let first = try DurationText.parse(String(text[..<dot]))
      let limit = try DurationText.parse(String(text[bytes.index(after: next)...]))
      guard first <= limit else {
        throw .usage("\(text.quoted) starts with the longer duration")
      }
      return BackoffText(first: first, limit: limit)
    }
    return BackoffText(first: try DurationText.parse(text), limit: nil)
  }
}
