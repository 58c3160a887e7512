import Pacing

/// A rate as people type it: `100/s`, `5/min`, `2.5/s`, `10/200ms`.
enum RateText {
  /// The rate that `text` describes, exactly.
  ///
  /// A decimal number, a slash, and a duration; a unit alone means one of it.
  ///
  /// - Throws: A usage error that quotes `text`.
  static func parse(_ text: String) throws(CommandError) -> Rate {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw .usage("\(text.quoted) is not a rate; write it as 100/s, 5/min, 2.5/s or 10/200ms")
    }
    do throws(CommandError) {
      let (count, divisor) = try number(String(parts[0]))
      return try rate(count, per: try period(String(parts[1])), times: divisor)
    } catch {
      throw .usage("\(text.quoted) is not a rate: \(error.message ?? "")")
    }
  }

  /// The nanoseconds that `text` describes.
  private static func period(_ text: String) throws(CommandError) -> Int64 {
    if let unit = DurationText.unit(named: text) { return Int64(unit) }
    guard text.utf8.first.map({ $0 <= UInt8(ascii: "9") }) ?? false else {
      throw .usage("\(text.quoted) is not a unit of time; use ms, s, min, h or d")
    }
    let (seconds, attoseconds) = try DurationText.parse(text).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  private static func rate(
    _ count: Int64, per nanoseconds: Int64, times factor: Int64
  ) throws(CommandError) -> Rate {
    let divisor = greatestCommonDivisor(count, nanoseconds)
    let (period, overflow) = (nanoseconds / divisor).multipliedReportingOverflow(by: factor)
    guard !overflow,
      let rate = try? Rate(checking: Int(count / divisor), per: .nanoseconds(period))
    else { throw .usage("the ratio does not fit in 64 bits") }
    return rate
  }

  /// The positive decimal number that `text` describes, as a reduced fraction.
  private static func number(
    _ text: String
  ) throws(CommandError) -> (numerator: Int64, denominator: Int64) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let parts = Array(text.utf8).split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isNumber = parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { digits ~= $0 } }
    guard parts.count == 2, isNumber else { return (Int64(try CountText.parse(text)), 1) }
    let fraction = parts[1].reversed().drop { $0 == UInt8(ascii: "0") }.reversed()
    let significant = (parts[0] + fraction).drop { $0 == UInt8(ascii: "0") }
    guard significant.count <= 18, fraction.count <= 18 else {
      throw .usage("\(text.quoted) has too many digits")
    }
    let numerator = significant.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    guard numerator > 0 else { throw .usage("\(text.quoted) is not a positive number") }
    let denominator = fraction.reduce(Int64(1)) { power, _ in power * 10 }
    let divisor = greatestCommonDivisor(numerator, denominator)
    return (numerator / divisor, denominator / divisor)
  }
}
