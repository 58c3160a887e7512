import Testing

@testable import PacingHTTP

@Suite("HTTP dates")
struct HTTPDateTests {
  @Test(
    "a year of two digits is the last one that is not more than 50 years away",
    arguments: [
      ("Friday, 13-Mar-76 12:00:00 GMT", "2026-03-13T12:00:00Z", "2076-03-13T12:00:00Z"),
      ("Friday, 13-Mar-76 12:00:01 GMT", "2026-03-13T12:00:00Z", "1976-03-13T12:00:01Z"),
      ("Saturday, 14-Mar-76 00:00:00 GMT", "2026-03-13T12:00:00Z", "1976-03-14T00:00:00Z"),
      ("Thursday, 01-Apr-76 00:00:00 GMT", "2026-03-13T12:00:00Z", "1976-04-01T00:00:00Z"),
      ("Thursday, 31-Dec-75 00:00:00 GMT", "2026-03-13T12:00:00Z", "2075-12-31T00:00:00Z"),
      ("Sunday, 06-Nov-94 08:49:37 GMT", "2044-11-07T00:00:00Z", "2094-11-06T08:49:37Z"),
      ("Wednesday, 01-Jan-99 00:00:00 GMT", "1999-01-01T00:00:00Z", "1999-01-01T00:00:00Z"),
    ])
  func years(text: String, now: String, year: String) throws {
    let now = try #require(WaitText.instant(ByteScanner(now)))
    let expected = try #require(WaitText.instant(ByteScanner(year)))
    let seconds = HTTPDate.seconds(ByteScanner(text), near: now.components.seconds)
    #expect(seconds.map { .seconds($0) } == expected)
  }

  @Test("a date's day is the day from which it was made, over all years")
  func days() throws {
    for day in stride(from: -719_528 as Int64, through: 2_932_896, by: 17) {
      let date = CivilDate(seconds: day * 86_400 + day & 0xffff)
      let again = try CivilDate(year: date.year, month: date.month, day: date.day)
      #expect(again.seconds == day * 86_400)
    }
    #expect(CivilDate(seconds: .min).year == 0 && CivilDate(seconds: .max).year == 9999)
  }
}
