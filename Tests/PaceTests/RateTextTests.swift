import Pacing
import Testing

@testable import pace

@Suite("RateText")
struct RateTextTests {
  @Test(
    "reads a count and a time",
    arguments: [
      ("100/s", 100, Duration.seconds(1)),
      ("5/m", 5, .seconds(60)),
      ("1/h", 1, .seconds(3_600)),
      ("10/200ms", 10, .milliseconds(200)),
      ("3/1.5s", 3, .milliseconds(1_500)),
      ("7/\u{B5}s", 7, .microseconds(1)),
    ])
  func reads(text: String, count: Int, period: Duration) throws {
    #expect(try RateText.parse(text) == Rate(count, per: period))
  }

  @Test(
    "refuses everything else",
    arguments: [
      "", "/", "100", "100/", "/s", "0/s", "-1/s", "1.5/s", "100/0s", "100/-1s", "100/parsec",
      "100//s", "100/s/s", "99999999999999999999/s", "1/99999999999999999h", "1/1e400s", "1 /s",
      "1/ s", "a/b", "1/S",
    ])
  func refuses(text: String) {
    expectUsage("is not a rate") { () throws(CommandError) in try RateText.parse(text) }
  }
}

@Suite("BackoffText")
struct BackoffTextTests {
  @Test(
    "reads one duration, or two",
    arguments: [
      ("500ms", Duration.milliseconds(500), Duration?.none),
      ("100ms..10s", .milliseconds(100), .seconds(10)),
      ("0.5s..0.5s", .milliseconds(500), .milliseconds(500)),
    ])
  func reads(text: String, first: Duration, limit: Duration?) throws {
    #expect(try BackoffText.parse(text) == BackoffText(first: first, limit: limit))
  }

  @Test(
    "refuses everything else",
    arguments: ["", "..", "1s..", "..1s", "1s...2s", "1s..2s..3s", "10s..1s", "0s..1s", "1s.2s"])
  func refuses(text: String) {
    expectUsage("\"") { () throws(CommandError) in try BackoffText.parse(text) }
  }
}

@Suite("CountText")
struct CountTextTests {
  @Test("reads a positive whole number", arguments: [("1", 1), ("020", 20), ("\(Int.max)", .max)])
  func reads(text: String, count: Int) throws {
    #expect(try CountText.parse(text) == count)
  }

  @Test(
    "refuses everything else",
    arguments: ["", "-", "--1", "0", "-1", "1.0", "1e3", "+1", "９", "9223372036854775808", "1 "])
  func refuses(text: String) {
    expectUsage("\(text.quoted) is ") { () throws(CommandError) in try CountText.parse(text) }
  }
}
