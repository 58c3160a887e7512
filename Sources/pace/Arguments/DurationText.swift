/// A duration as people type it: `300ms`, `1.5s`, `2m`.
///
/// The value is exact, or refused: nothing is rounded between the text and the timer.
enum DurationText {
  /// The names of the units, with their lengths in nanoseconds.
  private static let units: [(names: [String], nanoseconds: UInt64)] = [
    (["ns"], 1),
    (["us", "\u{B5}s", "\u{3BC}s"], 1_000),
    (["ms"], 1_000_000),
    (["s", "sec", "second"], 1_000_000_000),
    (["m", "min", "minute"], 60_000_000_000),
    (["h", "hr", "hour"], 3_600_000_000_000),
    (["d", "day"], 86_400_000_000_000),
  ]

  /// The nanoseconds of the unit with this name, or nil if there is none.
  static func unit(named name: some StringProtocol) -> UInt64? {
    // Compared as bytes, since equal strings may have different ones.
    units.first { $0.names.contains { $0.utf8.elementsEqual(name.utf8) } }?.nanoseconds
  }

  /// The duration that `text` describes: a decimal number, followed immediately by a unit.
  ///
  /// - Throws: A usage error if `text` is anything else, if the duration is not positive, if it is
  ///   finer than a nanosecond, or if it exceeds 292 years, which a timer cannot count.
  static func parse(_ text: String) throws(CommandError) -> Duration {
    let bytes = Array(text.utf8)
    let isNegative = bytes.first == UInt8(ascii: "-")
    var rest = bytes[...].dropFirst(isNegative ? 1 : 0)
    let whole = digits(&rest)
    var fraction: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = digits(&rest)
      guard !fraction.isEmpty else { throw notADuration(text) }
    }
    guard !whole.isEmpty, let unit = unit(named: String(decoding: rest, as: UTF8.self)) else {
      throw notADuration(text)
    }
    let isZero = (whole + fraction).allSatisfy { $0 == UInt8(ascii: "0") }
    guard !isNegative, !isZero else {
      throw .usage("\(text.quoted) is not a positive duration")
    }
    return try sum(text, whole: whole, fraction: fraction, unit: unit)
  }

  /// The duration as a person would type it: in a suitable unit, to three decimals.
  static func text(of duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    for (name, length) in [("h", 3_600 as Int64), ("m", 60)]
    where attoseconds == 0 && seconds >= length && seconds.isMultiple(of: length) {
      return "\(seconds / length)\(name)"
    }
    let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    let (name, length) =
      switch nanoseconds {
      case ..<1e3: ("ns", 1.0)
      case ..<1e6: ("us", 1e3)
      case ..<1e9: ("ms", 1e6)
      default: ("s", 1e9)
      }
    let thousandths = Int64((nanoseconds / length * 1_000).rounded())
    let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
    let decimals = "\(1_000 + rest)".dropFirst().reversed().drop { $0 == "0" }.reversed()
    return "\(whole)\(decimals.isEmpty ? "" : "." + String(decimals))\(name)"
  }

  private static func sum(
    _ text: String, whole: ArraySlice<UInt8>, fraction: ArraySlice<UInt8>, unit: UInt64
  ) throws(CommandError) -> Duration {
    var nanoseconds: UInt64? = 0
    for digit in whole {
      nanoseconds = nanoseconds?.times(10)?.plus(UInt64(digit - UInt8(ascii: "0")))
    }
    nanoseconds = nanoseconds?.times(unit)

    // Each digit of the fraction is worth a tenth of the one before it.
    var numerator = UInt128(0)
    var denominator = UInt128(1)
    let significant = fraction.reversed().drop { $0 == UInt8(ascii: "0") }.reversed()
    // A day has 2^16 * 5^11 as a factor: no seventeenth digit can come out even.
    guard significant.count <= 16 else {
      throw .usage("\(text.quoted) is finer than a nanosecond")
    }
    for digit in significant {
      numerator = numerator * 10 + UInt128(digit - UInt8(ascii: "0"))
      denominator *= 10
    }
    let scaled = numerator * UInt128(unit)
    guard scaled % denominator == 0 else {
      throw .usage("\(text.quoted) is finer than a nanosecond")
    }
    // The largest number of nanoseconds means "never" to a timer.
    guard let total = nanoseconds?.plus(UInt64(scaled / denominator)), total < Int64.max else {
      throw .usage("\(text.quoted) is too long; the longest duration is 292 years")
    }
    return .nanoseconds(Int64(total))
  }

  private static func digits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let found = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    rest = rest.dropFirst(found.count)
    return found
  }

  private static func notADuration(_ text: String) -> CommandError {
    .usage("\(text.quoted) is not a duration; write it as 300ms, 1.5s, 2m or 1h")
  }
}

extension UInt64 {
  fileprivate func times(_ other: UInt64) -> UInt64? {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? nil : product
  }

  fileprivate func plus(_ other: UInt64) -> UInt64? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? nil : sum
  }
}
