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
      ("5/sec", 5, .seconds(1)),
      ("5/min", 5, .seconds(60)),
      ("5/hour", 5, .seconds(3_600)),
      ("1/day", 1, .seconds(86_400)),
      ("2.5/s", 5, .seconds(2)),
      ("0.1/s", 1, .seconds(10)),
      ("2.50/min", 5, .seconds(120)),
      ("0.000000001/ns", 1, .seconds(1)),
      ("33.3333333/s", 333_333_333, .seconds(10_000_000)),
    ])
  func reads(text: String, count: Int, period: Duration) throws {
    #expect(try RateText.parse(text) == Rate(count, per: period))
  }

  @Test(
    "refuses everything else",
    arguments: [
      "", "/", "100", "100/", "/s", "0/s", "-1/s", "0.0/s", ".5/s", "5./s", "1.2.3/s", "-2.5/s",
      "100/0s", "100/-1s", "100/parsec",
      "100//s", "100/s/s", "99999999999999999999/s", "1/99999999999999999h", "1/1e400s", "1 /s",
      "1/ s", "a/b", "1/S", "5/x", "0.1234567890123456789/s", "33.333333333333333/s",
      "0.000000000001/100000d",
      "9223372036854775807/9223372036854775806ns ", "1/-5", "٣/s", "2,5/s",
    ])
  func refuses(text: String) {
    expectUsage("\(text.quoted) is not a rate") { () throws(CommandError) in
      try RateText.parse(text)
    }
  }

  @Test(
    "says which part is wrong, as it was typed",
    arguments: [
      ("5/x", "\"5/x\" is not a rate: \"x\" is not a unit of time"),
      ("abc/s", "\"abc/s\" is not a rate: \"abc\" is not a whole number"),
      ("5/1x", "\"5/1x\" is not a rate: \"1x\" is not a duration"),
      ("0.0/s", "\"0.0\" is not a positive number"),
    ])
  func quotes(text: String, message: String) {
    expectUsage(message) { () throws(CommandError) in try RateText.parse(text) }
  }
}

@Suite("Choice")
struct ChoiceTests {
  @Test("finds a value by its name")
  func finds() throws {
    #expect(try Choice.edges.parse("both") == .both)
    #expect(try Choice.missedTicks.parse("delay") == .delay)
    #expect(Choice.edges.grammar.name == "leading, trailing or both")
  }

  @Test("lists the names to a wrong one", arguments: ["", "Both", "both ", "middle"])
  func refuses(text: String) {
    expectUsage("\(text.quoted) is not one of leading, trailing, both") {
      () throws(CommandError) in try Choice.edges.parse(text)
    }
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
