import Pacing

/// A rate as people type it: `100/s`, `5/m`, `10/200ms`.
enum RateText {
  /// The rate that `text` says.
  ///
  /// The time is a duration, or a unit alone for one of it.
  ///
  /// - Throws: a usage error for everything else, and for a count or a time of zero or less.
  static func parse(_ text: String) throws(CommandError) -> Rate {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts[1].utf8.first else {
      throw .usage("\(text.quoted) is not a rate; write it as 100/s, 5/m or 10/200ms")
    }
    let isUnit = UInt8(ascii: "a")...UInt8(ascii: "z") ~= first || first > 0x7F
    let count: Int
    let period: Duration
    do {
      count = try CountText.parse(String(parts[0]))
      period = try DurationText.parse((isUnit ? "1" : "") + parts[1])
    } catch {
      throw .usage("\(text.quoted) is not a rate: \(error.message ?? "")")
    }
    do {
      return try Rate(validating: count, per: period)
    } catch {
      throw .usage("\(text.quoted) is not a rate that can be counted: \(error)")
    }
  }
}
