/// The formats of waits other than plain numbers and HTTP dates.
enum WaitText {
  /// A duration in Go's format, such as `6m0s` or `1h2m3.5s`; nil if the text is not one.
  static func span(_ text: ByteScanner) -> Duration? {
    try? sum(text)
  }

  private static func sum(_ text: ByteScanner) throws(Malformed) -> Duration {
    var text = text
    var sum = Duration.zero
    repeat {
      let number = try text.fieldNumber()
      guard let unit = units.first(where: { text.take($0.name) }) else { throw Malformed() }
      sum += Duration(
        attoseconds: Int128(number.whole) * unit.attoseconds
          + Int128(number.billionths) * (unit.attoseconds / 1_000_000_000))
      // The bound keeps the sum from overflowing.
      guard sum < .seconds(StructuredField.largest) else { throw Malformed() }
      text.skipBlanks()
    } while !text.isAtEnd
    return sum
  }

  /// A name comes before its own prefixes.
  private static let units: [(name: String, attoseconds: Int128)] = [
    ("ms", 1_000_000_000_000_000), ("us", 1_000_000_000_000), ("µs", 1_000_000_000_000),
    ("ns", 1_000_000_000), ("h", 3_600_000_000_000_000_000_000),
    ("m", 60_000_000_000_000_000_000), ("s", 1_000_000_000_000_000_000),
  ]

  /// The time since 1970 of an RFC 3339 timestamp, such as `2026-11-22T08:00:00Z`; nil if the text
  /// is not one.
  static func instant(_ text: ByteScanner) -> Duration? {
    try? timestamp(text)
  }

  private static func timestamp(_ text: ByteScanner) throws(Malformed) -> Duration {
    var text = text
    let year = try text.number(digits: 4)
    try text.expect("-")
    let month = try text.number(digits: 2)
    try text.expect("-")
    let date = try CivilDate(year: year, month: month, day: text.number(digits: 2))
    guard text.take("T") || text.take("t") || text.take(" ") else { throw Malformed() }
    let time = try text.timeOfDay()
    let billionths = text.take(".") ? try text.billionths() : 0
    let offset = try text.offset()
    try text.expectEnd()
    return .seconds(date.seconds + Int64(time - offset)) + .nanoseconds(billionths)
  }
}

extension ByteScanner {
  /// Takes `Z` or an offset from UTC such as `+01:00`, in seconds.
  fileprivate mutating func offset() throws(Malformed) -> Int {
    if take("Z") || take("z") { return 0 }
    let sign = take("-") ? -1 : 1
    if sign > 0 { try expect("+") }
    let hours = try number(digits: 2)
    try expect(":")
    return sign * (hours * 60 + (try number(digits: 2))) * 60
  }
}
