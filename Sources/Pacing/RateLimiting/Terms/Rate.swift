/// The refill rate of a limit: an exact ratio of tokens to time.
///
/// ```swift
/// Rate.perSecond(100)
/// Rate(5, per: .seconds(7))
/// Rate.every(.milliseconds(250))
/// ```
///
/// A rate is stored as a reduced fraction and never rounded, so a limit neither drifts nor
/// overflows, from one token a month to many a nanosecond. Equivalent rates are equal, such as
/// `Rate.perSecond(100)` and `Rate.every(.milliseconds(10))`.
public struct Rate: Hashable, Sendable {
  /// The numerator of the reduced fraction; zero for `none`.
  package let tokens: Int64
  /// The denominator, the time in which `tokens` accrue; zero for `unlimited`.
  package let nanoseconds: Nanoseconds

  package init(tokens: Int64, nanoseconds: Nanoseconds) {
    self.tokens = tokens
    self.nanoseconds = nanoseconds
  }

  /// Creates a rate of `count` tokens per period.
  ///
  /// - Precondition: `count` and `period` are positive, and their reduced ratio fits in 64 bits.
  public init(_ count: Int, per period: Duration) {
    self = ConfigurationError.trapping(try Rate(checking: count, per: period))
  }

  package init(checking count: Int, per period: Duration) throws(ConfigurationError) {
    guard count > 0 else { throw ConfigurationError("count", count, must: "be positive") }
    guard period > .zero else { throw ConfigurationError("period", period, must: "be positive") }
    // Both are in attoseconds, which keeps fractions of a nanosecond.
    let numerator = Int128(count) * 1_000_000_000
    let denominator = period.attoseconds
    let divisor = greatestCommonDivisor(numerator, denominator)
    guard let tokens = Int64(exactly: numerator / divisor),
      let nanoseconds = Nanoseconds(exactly: denominator / divisor)
    else {
      throw ConfigurationError("period", period, must: "give a ratio that fits in 64 bits")
    }
    self.tokens = tokens
    self.nanoseconds = nanoseconds
  }

  /// A rate of `count` tokens a second; `count` is positive.
  public static func perSecond(_ count: Int) -> Rate { Rate(count, per: .seconds(1)) }

  /// A rate of `count` tokens a minute; `count` is positive.
  public static func perMinute(_ count: Int) -> Rate { Rate(count, per: .seconds(60)) }

  /// A rate of `count` tokens an hour; `count` is positive.
  public static func perHour(_ count: Int) -> Rate { Rate(count, per: .seconds(3600)) }

  /// A rate of one token per `interval`, which is positive.
  public static func every(_ interval: Duration) -> Rate { Rate(1, per: interval) }

  /// No limit: every cost is allowed, even above the burst.
  public static var unlimited: Rate { Rate(tokens: 1, nanoseconds: 0) }

  /// No refill: a limit grants what it holds and what is added to it.
  public static var none: Rate { Rate(tokens: 0, nanoseconds: 1) }
}

/// The greatest integer by which two positive ones can be divided.
package func greatestCommonDivisor<Integer: BinaryInteger>(
  _ first: Integer, _ second: Integer
) -> Integer { second == 0 ? first : greatestCommonDivisor(second, first % second) }

extension Rate {
  /// Creates a rate from text, such as in a configuration file: `"5/s"`, `"90/min"`, `"1 per 7 s"`,
  /// `"unlimited"`, `"none"`.
  ///
  /// The format is a count, `/` or `per`, and a period: an optional whole number and a unit (`ns`,
  /// `us`, `ms`, `s`, `min`, `h`, `d` or their names). The `description` of a rate reads back as
  /// the same rate.
  ///
  /// - Throws: ``ConfigurationError`` if the text does not have this format, or is not a valid
  ///   rate.
  public init(_ text: String) throws(ConfigurationError) {
    let words = text.lowercased()
    switch words {
    case "unlimited": self = .unlimited
    case "none": self = .none
    default:
      guard let (count, period) = Self.parts(words[...]) else {
        throw ConfigurationError(
          "rate", "\"\(text)\"", must: "be like \"5/s\" or \"90 per minute\"")
      }
      try self.init(checking: count, per: period)
    }
  }

  private static func parts(_ text: Substring) -> (count: Int, period: Duration)? {
    let parts =
      text.contains("/")
      ? text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      : text.split(separator: " per ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(parts[0].trimmed),
      let period = TimeText.parse(parts[1].trimmed, withoutNumber: 1)
    else { return nil }
    return (count, period)
  }
}

extension Rate: CustomStringConvertible {
  /// A readable form: "100 per second", "90 per minute", "1 per 7 seconds".
  public var description: String {
    if self == .unlimited { return "unlimited" }
    if self == .none { return "none" }
    // The first unit in which the count is whole, from seconds to days.
    for unit in TimeText.units[...3].reversed() {
      let (count, rest) = (Int128(tokens) * Int128(unit.nanoseconds))
        .quotientAndRemainder(dividingBy: Int128(nanoseconds))
      if rest == 0, count > 0, let count = Int(exactly: count) {
        return "\(count) per \(unit.names[0])"
      }
    }
    return "\(tokens) per \(TimeText.span(nanoseconds))"
  }
}

extension Rate: Codable {
  /// Reads text, as `init(_:)` does.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self = try DecodingError.wrapping(at: container.codingPath) {
      try Rate(container.decode(String.self))
    }
  }

  /// Writes the `description`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// The text of spans of time.
enum TimeText {
  /// From the longest to the shortest; the first name is printed.
  static let units: [(names: [String], nanoseconds: Nanoseconds)] = [
    (["day", "d"], 86_400_000_000_000),
    (["hour", "h"], 3_600_000_000_000),
    (["minute", "min", "m"], 60_000_000_000),
    (["second", "s", "sec"], 1_000_000_000),
    (["ms", "millisecond"], 1_000_000),
    (["us", "µs", "microsecond"], 1000),
    (["ns", "nanosecond"], 1),
  ]

  /// A span in the longest unit of which it is a whole multiple.
  static func span(_ span: Nanoseconds) -> String {
    let unit = units.first { span % $0.nanoseconds == 0 } ?? units[units.count - 1]
    let (number, name) = (span / unit.nanoseconds, unit.names[0])
    return "\(number) \(name)\(number == 1 || name.count < 3 ? "" : "s")"
  }

  /// Parses a span, whose unit may be plural, and may stand alone if it counts as a number of them;
  /// nil if the text is malformed, and on overflow.
  static func parse(_ text: Substring, withoutNumber usual: Int64? = nil) -> Duration? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let name = text.dropFirst(digits.count).trimmed
    guard let number = digits.isEmpty ? usual : Int64(digits),
      let unit = units.first(where: {
        $0.names.contains { name == $0 || $0.count > 1 && name == $0 + "s" }
      })
    else { return nil }
    let (product, overflow) = unit.nanoseconds.multipliedReportingOverflow(by: number)
    return overflow ? nil : Duration.nanoseconds(product)
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
