/// The words of a command line, sorted by what they are.
///
/// They come as bytes, since a command that is to be run gets its own words unchanged, whatever
/// their encoding.
struct Arguments: Equatable {
  /// The words that are no options, as many as the grammar asks for, or more where it allows that.
  private(set) var words: [String] = []

  /// The command to run: what follows `--`.
  private(set) var command: [[UInt8]] = []

  /// Whether help was asked for; then nothing else has been looked at.
  private(set) var wantsHelp = false

  private var flags: Set<String> = []
  private var values: [String: String] = [:]

  /// Sorts the words.
  ///
  /// - Throws: a usage error for the first word that the grammar has no place for, and for one
  ///   that it misses.
  init(_ bytes: some Collection<[UInt8]>, by grammar: Grammar) throws(CommandError) {
    let end = Array("--".utf8)
    let own = bytes.prefix { $0 != end }.map { String(decoding: $0, as: UTF8.self) }
    command = Array(bytes.dropFirst(own.count + 1))
    if own.contains("--help") || own.contains("-h") {
      wantsHelp = true
      return
    }
    var rest = own[...]
    while let word = rest.popFirst() {
      if Self.isOption(word) {
        try take(option: word, from: &rest, by: grammar)
      } else {
        words.append(word)
      }
    }
    try check(hasEnd: own.count < bytes.count, by: grammar)
  }

  /// Whether the flag is there.
  func has(_ flag: String) -> Bool {
    flags.contains(flag)
  }

  /// What `parse` makes of the option's value, nil where the option is not there.
  ///
  /// - Throws: the error of `parse`, with the option's name before it.
  func value<Value>(
    of option: String, _ parse: (String) throws(CommandError) -> Value
  ) throws(CommandError) -> Value? {
    guard let text = values[option] else { return nil }
    do {
      return try parse(text)
    } catch {
      throw CommandError("\(option): \(error.message ?? "")", status: error.status)
    }
  }

  /// A number with a minus sign is a word, and a bad one: it is for its parser to say so.
  private static func isOption(_ word: String) -> Bool {
    guard word.utf8.first == UInt8(ascii: "-"), let second = word.utf8.dropFirst().first else {
      return false
    }
    return !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= second) && second != UInt8(ascii: ".")
  }

  /// The last of several values counts, so that an alias can be overruled.
  private mutating func take(
    option word: String, from rest: inout ArraySlice<String>, by grammar: Grammar
  ) throws(CommandError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    if grammar.flags.contains(name) {
      guard parts.count == 1 else { throw .usage("\(name) takes no value") }
      flags.insert(name)
    } else if let kind = grammar.options[name] {
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw .usage("\(name) needs \(kind)")
      }
      values[name] = value
    } else {
      throw .usage("unknown option \(name.quoted)")
    }
  }

  private func check(hasEnd: Bool, by grammar: Grammar) throws(CommandError) {
    if words.count < grammar.words.count {
      throw .usage("\(grammar.words[words.count]) is missing")
    }
    let surplus = grammar.repeatsLastWord ? nil : words.dropFirst(grammar.words.count).first
    if grammar.takesCommand {
      guard hasEnd, !command.isEmpty, surplus == nil else {
        throw .usage("the command to run is missing; it goes after \"--\"")
      }
    } else if let word = surplus ?? command.first.map({ String(decoding: $0, as: UTF8.self) }) {
      throw .usage("unexpected word \(word.quoted)")
    }
  }
}
