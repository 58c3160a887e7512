/// What a piece of the drawing is, and so how it looks.
enum Tone: Equatable, Sendable {
  case title
  case code
  case text
  case track
  case input
  case delivered
  case refused

  /// The numbers of its attributes in a control sequence, nil for none.
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

  /// The text, looking so where there is colour.
  func applied(to text: String, on screen: Screen) -> String {
    guard screen.hasColour, let attributes, !text.isEmpty else { return text }
    return "\u{1B}[\(attributes)m\(text)\u{1B}[0m"
  }
}
