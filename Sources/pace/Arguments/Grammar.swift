/// The words that a command understands.
struct Grammar: Sendable {
  /// The value of an option, or a word without a name.
  struct Value: Sendable, ExpressibleByStringLiteral {
    /// What a shell offers in its place.
    enum Completion: Equatable, Sendable {
      case nothing
      case files
      case names([String])
    }

    /// Its name in messages: "a duration".
    let name: String

    let completion: Completion

    init(_ name: String, completion: Completion = .nothing) {
      self.name = name
      self.completion = completion
    }

    init(stringLiteral name: String) {
      self.init(name)
    }
  }

  /// The required words, in order.
  var words: [Value] = []

  /// Whether more words of the last one's kind may follow.
  var repeatsLastWord = false

  /// The options without a value: `--quiet`.
  var flags: Set<String> = []

  /// The options with a value: `--max`.
  var options: [String: Value] = [:]

  /// Whether a command to run follows: after the words, or after `--`.
  ///
  /// After words that may be repeated, only `--` tells where the command begins.
  var takesCommand = false
}
