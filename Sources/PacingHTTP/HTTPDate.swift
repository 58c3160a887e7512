/// HTTP dates (RFC 9110, 5.6.7) in all three forms, as seconds since 1970 in UTC.
///
/// The weekday must be valid, but need not match the date.
enum HTTPDate {
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let longWeekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The seconds since 1970; nil if the text is not a date.
  ///
  /// - Parameters:
  ///   - text: The date.
  ///   - now: The current time. A two-digit year is at most 50 years after it; without it, such a
  ///     year is between 1970 and 2069.
  /// - Returns: The seconds.
  static func seconds(_ text: ByteScanner, near now: Int64?) -> Int64? {
    (try? fixed(text)) ?? (try? dashed(text, near: now)) ?? (try? spaced(text))
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func fixed(_ text: ByteScanner) throws(Malformed) -> Int64 {
    var text = text
    _ = try text.index(in: weekdays)
    try text.expect(", ")
    let day = try text.number(digits: 2)
    try text.expect(" ")
    let month = try text.index(in: months) + 1
    try text.expect(" ")
    let year = try text.number(digits: 4)
    try text.expect(" ")
    let time = try text.timeOfDay()
    try text.expect(" GMT")
    try text.expectEnd()
    return try CivilDate(year: year, month: month, day: day).seconds + Int64(time)
  }

  /// `Sunday, 06-Nov-94 08:49:37 GMT`.
  private static func dashed(_ text: ByteScanner, near now: Int64?) throws(Malformed) -> Int64 {
    var text = text
    _ = try text.index(in: longWeekdays)
    try text.expect(", ")
    let day = try text.number(digits: 2)
    try text.expect("-")
    let month = try text.index(in: months) + 1
    try text.expect("-")
    let digits = try text.number(digits: 2)
    try text.expect(" ")
    let time = try text.timeOfDay()
    try text.expect(" GMT")
    try text.expectEnd()
    func seconds(in year: Int) throws(Malformed) -> Int64 {
      try CivilDate(year: year, month: month, day: day).seconds + Int64(time)
    }
    guard let now else { return try seconds(in: digits + (digits < 70 ? 2000 : 1900)) }
    // The last year that ends with these digits and is at most 50 years ahead.
    let today = CivilDate(seconds: now)
    let last = today.year + 50
    let year = last - (last - digits) % 100
    let isBeyond =
      year == last
      && (month, day, Int64(time)) > (today.month, today.day, now - today.seconds)
    return try seconds(in: isBeyond ? year - 100 : year)
  }

  /// `Sun Nov  6 08:49:37 1994`.
  private static func spaced(_ text: ByteScanner) throws(Malformed) -> Int64 {
    var text = text
    _ = try text.index(in: weekdays)
    try text.expect(" ")
    let month = try text.index(in: months) + 1
    try text.expect(" ")
    let day = try text.number(digits: text.take(" ") ? 1 : 2)
    try text.expect(" ")
    let time = try text.timeOfDay()
    try text.expect(" ")
    let year = try text.number(digits: 4)
    try text.expectEnd()
    return try CivilDate(year: year, month: month, day: day).seconds + Int64(time)
  }
}
