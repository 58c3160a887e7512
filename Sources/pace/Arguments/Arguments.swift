/// The words of a command line, sorted by kind.
///
/// They are bytes, because a command to run receives its words unchanged, in any encoding.
struct Arguments: Equatable {
  /// The words that are not options: as many as the grammar requires, or more if it allows more.
  private(set) var words: [String] = []

  /// The same words as paths, whose bytes need not be text.
  private(set) var paths: [Path] = []

  /// The command to run, and its arguments.
  private(set) var command: [[UInt8]] = []

  /// Whether help was requested; then nothing has been checked.
  private(set) var wantsHelp = false

  private var flags: Set<String> = []
  private var values: [String: [UInt8]] = [:]

  private static let end = Array("--".utf8)

  /// Sorts the words.
  ///
  /// A command begins after `--`, or with the first word beyond the required ones; everything from
  /// there on belongs to it.
  ///
  /// - Throws: A usage error for the first unexpected word, or for a missing one.
  init(_ bytes: some Collection<[UInt8]>, by grammar: Grammar) throws(CommandError) {
    var rest = Array(bytes)[...]
    var failure: CommandError?
    while let word = rest.popFirst() {
      let text = String(decoding: word, as: UTF8.self)
      do throws(CommandError) {
        if Self.isHelp(text) {
          wantsHelp = true
          return
        } else if word == Self.end {
          command = Array(rest)
          rest = []
        } else if Self.isOption(text) {
          try take(option: word, from: &rest, by: grammar)
        } else if words.count < grammar.words.count || !grammar.takesFreeCommand {
          words.append(text)
          paths.append(Path(word))
        } else {
          guard !text.hasPrefix("-") || text == "-" else { throw .unknownOption(text) }
          command = [word] + rest
          rest = []
        }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    try check(by: grammar)
  }

  /// Whether the flag is present.
  func has(_ flag: String) -> Bool {
    flags.contains(flag)
  }

  /// The option's value as `parse` reads it, or nil if the option is absent.
  ///
  /// - Throws: The error of `parse`, with the option's name in front.
  func value<Value>(
    of option: String, _ parse: (String) throws(CommandError) -> Value
  ) throws(CommandError) -> Value? {
    guard let bytes = values[option] else { return nil }
    do {
      return try parse(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw CommandError("\(option): \(error.message ?? "")", status: error.status)
    }
  }

  /// The bytes of the option's value, which need not be text; nil if the option is absent.
  func bytes(of option: String) -> [UInt8]? { values[option] }

  private static func isHelp(_ word: String) -> Bool {
    word == "--help" || word == "-h"
  }

  /// A negative number is a word: its parser refuses it with a better message.
  private static func isOption(_ word: String) -> Bool {
    guard word.utf8.first == UInt8(ascii: "-"), let second = word.utf8.dropFirst().first else {
      return false
    }
    return !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= second) && second != UInt8(ascii: ".")
  }

  /// The last of several values counts, so that an alias can be overruled.
  private mutating func take(
    option word: [UInt8], from rest: inout ArraySlice<[UInt8]>, by grammar: Grammar
  ) throws(CommandError) {
    let equals = UInt8(ascii: "=")
    let parts = word.split(separator: equals, maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(decoding: parts[0], as: UTF8.self)
    if grammar.flags.contains(name) {
      guard parts.count == 1 else { throw .usage("\(name) takes no value") }
      flags.insert(name)
    } else if let value = grammar.options[name] {
      if parts.count == 2 {
        values[name] = Array(parts[1])
      } else if let next = rest.first, next != Self.end,
        !Self.isHelp(String(decoding: next, as: UTF8.self))
      {
        rest.removeFirst()
        values[name] = next
      } else {
        throw .usage("\(name) needs \(value.name)")
      }
    } else {
      throw .unknownOption(String(decoding: word, as: UTF8.self))
    }
  }

  private func check(by grammar: Grammar) throws(CommandError) {
    if words.count < grammar.words.count {
      throw .usage("\(grammar.words[words.count].name) is missing")
    }
    if grammar.takesCommand {
      guard command.isEmpty else { return }
      let place = grammar.takesFreeCommand ? "" : "; it goes after \"--\""
      throw .usage("the command to run is missing\(place)")
    }
    let surplus = grammar.repeatsLastWord ? nil : words.dropFirst(grammar.words.count).first
    if let word = surplus ?? command.first.map({ String(decoding: $0, as: UTF8.self) }) {
      throw .usage("unexpected word \(word.quoted)")
    }
  }
}

extension Grammar {
  /// Whether the command to run needs no `--`.
  fileprivate var takesFreeCommand: Bool { takesCommand && !repeatsLastWord }
}

extension CommandError {
  fileprivate static func unknownOption(_ word: String) -> CommandError {
    .usage("unknown option \(word.quoted)")
  }
}
