import Pacing
import Testing

@testable import pace

@Suite("Arguments")
struct ArgumentsTests {
  private let watcher = Grammar(
    words: ["a path"], repeatsLastWord: true, options: ["--count": "a number"], takesCommand: true)
  private let filter = Grammar(
    words: ["the duration"], flags: ["--leading"], options: ["--max": "a duration"])
  private let runner = Grammar(
    words: ["the period"], options: ["--count": "a number"], takesCommand: true)

  private func parse(
    _ words: [String], by grammar: Grammar
  ) throws(CommandError) -> Arguments {
    try Arguments(words.map { Array($0.utf8) }, by: grammar)
  }

  @Test(
    "finds words, flags and options in any order",
    arguments: [
      ["300ms", "--leading", "--max", "2s"], ["--leading", "--max=2s", "300ms"],
      ["--max", "9s", "300ms", "--max", "2s", "--leading", "--leading"],
      ["--max", "2s", "--leading", "300ms", "--"],
    ])
  func order(words: [String]) throws {
    let arguments = try parse(words, by: filter)
    #expect(arguments.words == ["300ms"])
    #expect(arguments.has("--leading"))
    #expect(try arguments.value(of: "--max", DurationText.parse) == .seconds(2))
    #expect(arguments.command.isEmpty)
  }

  @Test("takes what follows the two dashes as the command, byte for byte")
  func command() throws {
    let odd: [UInt8] = [0x66, 0xFF, 0x80]
    let words = ["5s", "--count", "3", "--", "ls", "--help", "--"].map { Array($0.utf8) } + [odd]
    let arguments = try Arguments(words, by: runner)
    #expect(arguments.command == ["ls", "--help", "--"].map { Array($0.utf8) } + [odd])
    #expect(!arguments.wantsHelp)
  }

  @Test(
    "takes what follows the required words as the command",
    arguments: [
      (["5s", "ls"], ["ls"]), (["--count", "3", "5s", "ls", "-l"], ["ls", "-l"]),
      (["5s", "--count=3", "ls", "--count", "4"], ["ls", "--count", "4"]),
      (["5s", "ls", "--", "-l"], ["ls", "--", "-l"]), (["5s", "ls", "--help"], ["ls", "--help"]),
      (["5s", "-"], ["-"]), (["5s", ""], [""]), (["5s", "--", "-5"], ["-5"]),
    ])
  func freeCommand(words: [String], command: [String]) throws {
    let arguments = try parse(words, by: runner)
    #expect(arguments.words == ["5s"] && arguments.command == command.map { Array($0.utf8) })
    #expect(!arguments.wantsHelp)
  }

  @Test("takes a command without dashes byte for byte")
  func freeCommandBytes() throws {
    let odd: [UInt8] = [0x66, 0xFF, 0x80]
    let arguments = try Arguments([Array("5s".utf8), odd, odd], by: runner)
    #expect(arguments.command == [odd, odd])
  }

  @Test("a path and an option's value keep bytes that are no text")
  func paths() throws {
    let odd: [UInt8] = [0x64, 0xff]
    let grammar = Grammar(
      words: [Grammar.Value("a path")], repeatsLastWord: true,
      options: ["--ignore": Grammar.Value("names"), "--svg": Grammar.Value("a path")])
    let option = Array("--svg=".utf8) + odd
    let arguments = try Arguments([odd, Array("--ignore".utf8), odd, option, odd], by: grammar)
    #expect(arguments.paths == [Path(odd), Path(odd)])
    #expect(arguments.bytes(of: "--ignore") == odd && arguments.bytes(of: "--svg") == odd)
  }

  @Test("does not take what looks like an option as the command", arguments: ["-5", "-.5", "-n"])
  func optionAsCommand(word: String) {
    expectUsage("unknown option \"\(word)\"") { () throws(CommandError) in
      try parse(["5s", word, "ls"], by: runner)
    }
  }

  @Test(
    "wants help, whatever else there is",
    arguments: [["--help"], ["-h"], ["--x", "--help"], ["--max", "-h"]])
  func help(words: [String]) throws {
    #expect(try parse(words, by: filter).wantsHelp)
  }

  @Test("takes a negative number as a word, for its parser to refuse", arguments: ["-5ms", "-.5s"])
  func negative(word: String) throws {
    #expect(try parse([word], by: filter).words == [word])
  }

  @Test(
    "says what is wrong with a filter's words",
    arguments: [
      ([], "the duration is missing"),
      (["--leading"], "the duration is missing"),
      (["1s", "2s"], "unexpected word \"2s\""),
      (["1s", "--", "ls"], "unexpected word \"ls\""),
      (["1s", "--trailing"], "unknown option \"--trailing\""),
      (["1s", "-l"], "unknown option \"-l\""),
      (["1s", "--max"], "--max needs a duration"),
      (["1s", "--leading=yes"], "--leading takes no value"),
      (["1s", "--ma\u{1B}[2J\nx"], "unknown option \"--ma\\u{1B}[2J\\nx\""),
    ])
  func refuses(words: [String], message: String) {
    expectUsage(message) { () throws(CommandError) in try parse(words, by: filter) }
  }

  @Test(
    "says that the command is missing", arguments: [["5s"], ["5s", "--"], ["--count=3", "5s"]])
  func missingCommand(words: [String]) {
    expectUsage("the command to run is missing") { () throws(CommandError) in
      try parse(words, by: runner)
    }
  }

  @Test("takes further words where the last one may be repeated")
  func repeatedWords() throws {
    #expect(try parse(["a", "b", "--", "ls"], by: watcher).words == ["a", "b"])
    expectUsage("a path is missing") { () throws(CommandError) in
      try parse(["--", "ls"], by: watcher)
    }
    expectUsage("it goes after \"--\"") { () throws(CommandError) in
      try parse(["a", "b"], by: watcher)
    }
  }

  @Test("names the option whose value is bad")
  func badValue() throws {
    let arguments = try parse(["1s", "--max", "2 parsecs"], by: filter)
    expectUsage("--max: \"2 parsecs\" is not a duration") { () throws(CommandError) in
      try arguments.value(of: "--max", DurationText.parse)
    }
  }

  @Test("never traps", arguments: 0..<20)
  func random(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let alphabet = Array("-=ab0.\n\u{0}é") + ["--", "--max", "--leading", "--count"]
    for _ in 0..<1_000 {
      let words = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        (0..<Int.random(in: 0...4, using: &generator)).flatMap { _ in
          Array("\(alphabet.randomElement(using: &generator)!)".utf8)
        }
      }
      let grammar = [filter, runner, watcher].randomElement(using: &generator)!
      do {
        let arguments = try Arguments(words, by: grammar)
        let isOne = arguments.words.count == 1 || grammar.repeatsLastWord
        #expect(arguments.wantsHelp || isOne, "seed \(seed)")
        #expect(
          arguments.wantsHelp || arguments.command.isEmpty != grammar.takesCommand, "seed \(seed)")
      } catch {
        #expect(error.status == .usage, "seed \(seed)")
      }
    }
  }
}
