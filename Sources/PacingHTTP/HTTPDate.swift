/// The dates of HTTP (RFC 9110, 5.6.7), in each of their three forms, as seconds since 1970 in UTC.
///
/// The day of the week must be one, but need not be the right one.
enum HTTPDate {
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The seconds since 1970, nil where the text is no date.
  static func seconds(_ text: Substring) -> Int? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
    guard let weekday = words.first, weekdays.contains(String(weekday.prefix(3))) else {
      return nil
    }
    switch words.count {
    case 6 where words[5] == "GMT":
      guard let year = year(words[3]) else { return nil }
      return seconds(year, month: words[2], day: words[1], time: words[4])
    case 5:
      guard words[4].count == 4, let year = year(words[4]) else { return nil }
      return seconds(year, month: words[1], day: words[2], time: words[3])
    default:
      return nil
    }
  }

  /// Two digits are a year from 1970 to 2069.
  private static func year(_ text: Substring) -> Int? {
    guard let year = number(text) else { return nil }
    switch text.count {
    case 4: return year
    case 2: return year + (year < 70 ? 2000 : 1900)
    default: return nil
    }
  }

  private static func seconds(
    _ year: Int, month: Substring, day: Substring, time: Substring
  ) -> Int? {
    guard let month = months.firstIndex(of: String(month)), let day = number(day),
      (1...length(ofMonth: month, year)).contains(day)
    else { return nil }
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.count == 2 }), let hour = number(parts[0]),
      let minute = number(parts[1]), let second = number(parts[2]),
      // A leap second is the first of the next minute.
      hour < 24, minute < 60, second <= 60
    else { return nil }
    return (days(year, month, day) * 24 + hour) * 3600 + minute * 60 + second
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func length(ofMonth month: Int, _ year: Int) -> Int {
    month == 1 && isLeap(year)
      ? 29 : [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month]
  }

  /// The days since 1970 began.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let before = year - 1
    let leapDays = before / 4 - before / 100 + before / 400
    // The leap days up to the end of 1969.
    let days = (year - 1970) * 365 + leapDays - 477
    return (0..<month).reduce(days + day - 1) { $0 + length(ofMonth: $1, year) }
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.count <= 4 && text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
  }
}
