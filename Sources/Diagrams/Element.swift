/// An SVG element, as text.
///
/// The text is not indented.
struct Element {
  /// The element's source text.
  let text: String

  /// Creates an element with child elements, or an empty one.
  ///
  /// - Parameters:
  ///   - name: The element's tag.
  ///   - attributes: The attributes, in order, already escaped.
  ///   - content: The child elements.
  init(_ name: String, _ attributes: KeyValuePairs<String, String>, _ content: [Element] = []) {
    let open = name + Self.joined(attributes)
    text =
      content.isEmpty
      ? "<\(open)/>"
      : "<\(open)>\n\(content.map(\.text).joined(separator: "\n"))\n</\(name)>"
  }

  /// Creates an element that contains text.
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
