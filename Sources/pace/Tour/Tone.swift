/// The role of a piece of the drawing, which determines its look.
enum Tone: Equatable, Sendable {
  case title
  case code
  case text
  case track
  case input
  case delivered
  case refused

  /// Its attributes in a control sequence, or nil for none.
  private var attributes: String? {
    switch self {
    case .title: "1"
    case .code: "36"
    case .text: nil
    case .track: "2"
    case .input: "33"
    case .delivered: "1;32"
    case .refused: "31"
    }
  }

  /// The text with these attributes, if the screen has colours.
  func applied(to text: String, on screen: Screen) -> String {
    guard screen.hasColour, let attributes, !text.isEmpty else { return text }
    return "\u{1B}[\(attributes)m\(text)\u{1B}[0m"
  }
}
