extension String {
  /// The text in quotation marks, on one line and cut to a readable length.
  ///
  /// For messages that repeat what a user typed: control characters are escaped, so that a message
  /// stays on one line and cannot control the terminal.
  var quoted: String {
    let limit = 60
    var text = ""
    for scalar in unicodeScalars.prefix(limit) {
      text += Self.isPlain(scalar) ? String(scalar) : scalar.escaped(asASCII: true)
    }
    return "\"\(text)\(unicodeScalars.count > limit ? "…" : "")\""
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
    default: true
    }
  }
}
