import Pacing
import Testing

@testable import pace

@Suite("Timeline")
struct TimelineTests {
  private func timeline(columns: Int, colour: Bool = false, longestName: Int = 3) -> Timeline {
    var screen = Screen()
    screen.columns = columns
    screen.hasColour = colour
    return Timeline(
      lanes: ["in", "out"], length: .seconds(2), screen: screen, longestName: longestName)
  }

  private func mark(_ lane: Int, _ milliseconds: Int, _ sign: String) -> Mark {
    Mark(
      lane: lane, time: .milliseconds(milliseconds), sign: sign, text: "", tone: .delivered)
  }

  @Test("draws marks where they belong, and time up to now")
  func draws() {
    let marks = [mark(0, 0, "a"), mark(0, 500, "b"), mark(1, 750, "●word")]
    #expect(
      timeline(columns: 48).lines(marks, at: .seconds(1)) == [
        "  in   a·········b·········" + String(repeating: " ", count: 20),
        "  out  ···············●word" + String(repeating: " ", count: 20),
        "       0 s       500 ms    1 s       1500 ms",
      ])
  }

  @Test("puts marks of one moment beside each other, and cuts what has no room")
  func crowded() {
    let marks = [mark(0, 100, "a"), mark(0, 101, "b"), mark(0, 1_900, "●long")]
    let line = timeline(columns: 48).lines(marks, at: .seconds(2))[0]
    #expect(line == "  in   ··ab··································●l")
  }

  @Test("keeps words apart, and leaves out a number that has no room")
  func gaps() {
    let words = [mark(0, 0, "1×"), mark(0, 60, "2×"), mark(0, 70, "a"), mark(0, 80, "b")]
    #expect(timeline(columns: 48).lines(words, at: .seconds(1))[0].hasPrefix("  in   1×·2×·ab··"))
    let numbers = [0, 50, 60, 110].map { time in
      Mark(lane: 1, time: .milliseconds(time), sign: "3", text: "", tone: .track)
    }
    #expect(timeline(columns: 48).lines(numbers, at: .seconds(1))[1].hasPrefix("  out  3·3····"))
  }

  @Test("begins at the same column, however long the names of the other scenes are")
  func zero() {
    let lines = timeline(columns: 80, longestName: 12).lines([mark(0, 0, "a")], at: .seconds(1))
    for line in lines { #expect(line.prefix(16).last == " " && line.dropFirst(16).first != " ") }
  }

  @Test("never exceeds the screen", arguments: [24, 25, 40, 80, 100], 0..<20)
  func fits(columns: Int, seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let marks = (0..<60).map { _ in
      mark(
        Int.random(in: 0...1, using: &generator), Int.random(in: 0...2_500, using: &generator),
        String(repeating: "x", count: Int.random(in: 1...9, using: &generator)))
    }.sorted { $0.time < $1.time }
    for line in timeline(columns: columns).lines(marks, at: .milliseconds(2_100)) {
      #expect(line.count < columns, "seed \(seed)")
    }
  }

  @Test("colours a run of equal marks with one control sequence")
  func colours() {
    let line = timeline(columns: 24, colour: true).lines([mark(0, 0, "a")], at: .milliseconds(300))
    let track = "\u{1B}[2m·" + String(repeating: " ", count: 14) + "\u{1B}[0m"
    #expect(line[0] == "  in   \u{1B}[1;32ma\u{1B}[0m" + track)
  }
}

@Suite("Screen")
struct ScreenTests {
  private func screen(
    terminal: Bool = true, width: Int? = nil, _ environment: [String: String]
  ) -> Screen {
    Screen(isTerminal: terminal, width: width) { environment[$0] }
  }

  @Test("draws in place only on a terminal that can")
  func drawable() {
    #expect(screen(["TERM": "xterm"]).isDrawable)
    #expect(!screen(["TERM": "dumb"]).isDrawable)
    #expect(!screen([:]).isDrawable)
    #expect(!screen(terminal: false, ["TERM": "xterm"]).isDrawable)
  }

  @Test("uses colour on a terminal, unless NO_COLOR says otherwise")
  func colour() {
    #expect(screen(["TERM": "xterm"]).hasColour)
    #expect(screen(["TERM": "xterm", "NO_COLOR": ""]).hasColour)
    #expect(!screen(["TERM": "xterm", "NO_COLOR": "1"]).hasColour)
    #expect(!screen(terminal: false, ["TERM": "xterm"]).hasColour)
  }

  @Test(
    "is as wide as COLUMNS or the terminal says, within reason",
    arguments: [
      (nil, nil, 80), (nil, 60, 60), ("50", 60, 50), ("x", 60, 60), ("", 60, 60), ("0", 60, 24),
      ("-5", nil, 24), ("9999999999999999999999", 60, 60), ("500", nil, 100),
    ] as [(String?, Int?, Int)])
  func columns(variable: String?, width: Int?, expected: Int) {
    #expect(screen(width: width, variable.map { ["COLUMNS": $0] } ?? [:]).columns == expected)
  }

  @Test(
    "uses Unicode where the locale has it",
    arguments: [
      (["LANG": "en_US.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false),
      ([:], false), (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], false),
      (["LC_CTYPE": "UTF-8", "LANG": "C"], true),
    ] as [([String: String], Bool)])
  func unicode(environment: [String: String], expected: Bool) {
    #expect(screen(environment).hasUnicode == expected)
    #expect(screen(environment).spelled("●×…a").allSatisfy(\.isASCII) != expected)
  }
}

@Suite("String.wrapped")
struct StringWrappedTests {
  @Test("breaks between words, and leaves a long word whole")
  func wraps() {
    #expect("one two three".wrapped(to: 7) == ["one two", "three"])
    #expect("one two".wrapped(to: 80) == ["one two"])
    #expect("incomprehensible x".wrapped(to: 5) == ["incomprehensible", "x"])
    #expect("".wrapped(to: 5) == [""])
  }
}
