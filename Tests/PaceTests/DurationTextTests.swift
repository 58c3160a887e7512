import Pacing
import TestSupport
import Testing

@testable import pace

@Suite("DurationText")
struct DurationTextTests {
  @Test(
    "reads a number and a unit, exactly",
    arguments: [
      ("300ms", Duration.milliseconds(300)),
      ("1.5s", .milliseconds(1_500)),
      ("2m", .seconds(120)),
      ("2min", .seconds(120)),
      ("1h", .seconds(3_600)),
      ("1d", .seconds(86_400)),
      ("1sec", .seconds(1)),
      ("0.5hour", .seconds(1_800)),
      ("1us", .microseconds(1)),
      ("1\u{B5}s", .microseconds(1)),
      ("1\u{3BC}s", .microseconds(1)),
      ("10ns", .nanoseconds(10)),
      ("0.1h", .seconds(360)),
      ("0.000000001s", .nanoseconds(1)),
      ("0.0000000000003125d", .nanoseconds(27)),
      ("1.50000000000000000000000000s", .milliseconds(1_500)),
      ("0000000000000000000000000001s", .seconds(1)),
      ("9223372036854775806ns", .nanoseconds(Int64.max - 1)),
      ("106751d", .seconds(106_751 * 86_400)),
    ])
  func reads(text: String, expected: Duration) throws {
    #expect(try DurationText.parse(text) == expected)
  }

  @Test(
    "writes what suits the eye, and can be read again",
    arguments: [
      (Duration.milliseconds(100), "100ms"), (.milliseconds(1_500), "1.5s"), (.seconds(90), "90s"),
      (.seconds(120), "2m"), (.seconds(7_200), "2h"), (.milliseconds(120_001), "120.001s"),
      (.nanoseconds(137_482_913), "137.483ms"), (.microseconds(50), "50us"),
      (.nanoseconds(7), "7ns"), (.milliseconds(1_050), "1.05s"), (.zero, "0ns"),
      (.nanoseconds(Int64.max), "9223372036.855s"),
    ])
  func writes(duration: Duration, expected: String) throws {
    let text = DurationText.text(of: duration)
    #expect(text == expected)
    guard duration > .zero, duration < .seconds(9_000_000_000) else { return }
    let error = try DurationText.parse(text) - duration
    #expect(error <= .nanoseconds(500) && error >= .nanoseconds(-500))
  }

  @Test(
    "refuses what is no number with a unit",
    arguments: [
      "", " ", "s", "5", "1.5", "10 parsecs", "10parsecs", "1e3s", "1e400s", ".5s", "5.s", "1..5s",
      "1.5.2s", "+5s", " 5s", "5s ", "5 s", "5S", "5MS", "0x10s", "１０s", "1_000ms", "1,5s", "nans",
      "infs", "-", "-s", "--5s", "5s\n", "5\u{0}s", "1h30m", "5s/2", "∞s",
    ])
  func refuses(text: String) {
    expectUsage("is not a duration") { () throws(CommandError) in try DurationText.parse(text) }
  }

  @Test("refuses zero and less", arguments: ["0s", "0.000ms", "00h", "-5ms", "-0s", "-1e0.5s"])
  func refusesZero(text: String) {
    let sentence = text == "-1e0.5s" ? "is not a duration" : "is not a positive duration"
    expectUsage(sentence) { () throws(CommandError) in try DurationText.parse(text) }
  }

  @Test(
    "refuses what a timer cannot count",
    arguments: [
      "9223372036854775807ns", "9223372036854775808ns", "18446744073709551616ns", "106752d",
      "99999999999999999h", "99999999999999999999999999999999999999999999s",
      "184467440737095516.15s", "\(String(repeating: "9", count: 5_000)).5d",
    ])
  func refusesLong(text: String) {
    expectUsage("is too long") { () throws(CommandError) in try DurationText.parse(text) }
  }

  @Test(
    "refuses what is finer than a nanosecond",
    arguments: [
      "0.1ns", "1.5ns", "1.0000000001s", "0.00000000000000001d", "0.00000000000001d",
      "0.\(String(repeating: "0", count: 5_000))1s",
    ])
  func refusesFine(text: String) {
    expectUsage("is finer than a nanosecond") { () throws(CommandError) in
      try DurationText.parse(text)
    }
  }

  @Test("never traps, and reads back what it printed", arguments: Soak.seeds(40))
  func random(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let alphabet = Array("0123456789..-+eµnumshd/ \u{0}")
    for _ in 0..<2_000 {
      let length = Int.random(in: 0...24, using: &generator)
      let text = String((0..<length).map { _ in alphabet.randomElement(using: &generator)! })
      if let duration = try? DurationText.parse(text) {
        #expect(duration > .zero, "seed \(seed), \(text)")
      }
      let nanoseconds = Int64.random(in: 1..<Int64.max, using: &generator)
      let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
      let digits = String(repeating: "0", count: 9 - "\(rest)".count) + "\(rest)"
      #expect(
        try DurationText.parse("\(seconds).\(digits)s") == .nanoseconds(nanoseconds),
        "seed \(seed)")
    }
  }
}
