/// Which words a command understands.
struct Grammar: Sendable {
  /// The words that must stand there in this order, by what they are called in messages.
  var words: [String] = []

  /// Whether further words may follow, of the last one's kind.
  var repeatsLastWord = false

  /// The options that stand alone: `--leading`.
  var flags: Set<String> = []

  /// The options that take a value, with what it is called in messages: `--max`, "a duration".
  var options: [String: String] = [:]

  /// Whether a command to run follows after `--`.
  var takesCommand = false
}
