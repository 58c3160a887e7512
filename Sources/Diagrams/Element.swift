/// An element of a drawing, as text.
///
/// Lines of elements are indented by those who put them into others.
struct Element {
  /// The element as it is written.
  let text: String

  /// An element with elements inside, or none.
  ///
  /// - Parameters:
  ///   - name: What it is.
  ///   - attributes: Its settings, in order, as text that has been escaped.
  ///   - content: The elements inside.
  init(_ name: String, _ attributes: KeyValuePairs<String, String>, _ content: [Element] = []) {
    let open = name + Self.joined(attributes)
    text =
      content.isEmpty
      ? "<\(open)/>"
      : "<\(open)>\n\(content.map(\.text).joined(separator: "\n"))\n</\(name)>"
  }

  /// An element with a text inside.
  init(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], text: String) {
    self.text = "<\(name)\(Self.joined(attributes))>\(Self.escaped(text))</\(name)>"
  }

  private static func joined(_ attributes: KeyValuePairs<String, String>) -> String {
    attributes.map { " \($0.key)=\"\($0.value)\"" }.joined()
  }

  private static func escaped(_ text: String) -> String {
    let substitutes: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]
    return text.map { substitutes[$0] ?? String($0) }.joined()
  }
}
