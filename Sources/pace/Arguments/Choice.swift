/// A setting that has one of a few names: `--edges both`.
struct Choice<Value: Sendable>: Sendable {
  private let values: KeyValuePairs<String, Value>

  init(_ values: KeyValuePairs<String, Value>) {
    self.values = values
  }

  /// The option's value in a command's grammar.
  var grammar: Grammar.Value {
    let names = values.map(\.key)
    let list = names.dropLast().joined(separator: ", ")
    return Grammar.Value(
      "\(list) or \(names[names.count - 1])", completion: .names(names))
  }

  /// The value with this name.
  ///
  /// - Throws: A usage error that lists the names.
  func parse(_ text: String) throws(CommandError) -> Value {
    if let found = values.first(where: { $0.key == text }) { return found.value }
    let names = values.map(\.key).joined(separator: ", ")
    throw .usage("\(text.quoted) is not one of \(names)")
  }
}
