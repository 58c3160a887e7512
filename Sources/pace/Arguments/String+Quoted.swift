extension String {
  /// The text in quotation marks, on one line and cut to a readable length.
  ///
  /// For messages that repeat what a user typed: control characters are escaped, so that a message
  /// stays on one line and cannot control the terminal.
  var quoted: String { "\"\(onOneLine(atMost: 60))\"" }

  /// As `quoted`, without the quotation marks: a message of another program.
  func onOneLine(atMost limit: Int) -> String {
    var text = ""
    for scalar in unicodeScalars.prefix(limit) {
      text += Self.isPlain(scalar) ? String(scalar) : scalar.escaped(asASCII: true)
    }
    return unicodeScalars.count > limit ? text + "…" : text
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
    default: true
    }
  }
}
