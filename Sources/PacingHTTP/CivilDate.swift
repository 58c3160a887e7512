/// A day of the Gregorian calendar.
struct CivilDate {
  let year: Int
  let month: Int
  let day: Int

  /// The range of days that a field can represent.
  private static let days: ClosedRange<Int64> = -719_528...2_932_896

  init(year: Int, month: Int, day: Int) throws(Malformed) {
    guard (0...9999).contains(year), (1...12).contains(month),
      (1...Self.length(ofMonth: month, year)).contains(day)
    else { throw Malformed() }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the day that contains an instant, clamped to the range that a field can represent.
  ///
  /// - Parameter seconds: The seconds since 1970-01-01 in UTC.
  init(seconds: Int64) {
    let days = Int(
      min(
        max(seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0), Self.days.lowerBound),
        Self.days.upperBound))
    // Years that start in March have their leap day at the end; they repeat every 400 years.
    let shifted = days + 719_468
    let cycle = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfCycle = shifted - cycle * 146_097
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100)
    let monthFromMarch = (dayOfYear * 5 + 2) / 153
    day = dayOfYear - (monthFromMarch * 153 + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0)
  }

  /// The seconds from 1970 to the start of the day, in UTC.
  var seconds: Int64 {
    let before = year - 1
    // Quotients rounded down; 477 leap days precede 1970.
    let leapDays = year > 0 ? before / 4 - before / 100 + before / 400 : -1
    let days = (year - 1970) * 365 + leapDays - 477
    let date = (1..<month).reduce(days + day - 1) { $0 + Self.length(ofMonth: $1, year) }
    return Int64(date) * 86_400
  }

  private static func length(ofMonth month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 && isLeap
      ? 29 : [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}
