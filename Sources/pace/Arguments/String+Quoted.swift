extension String {
  /// The text in quotation marks, on one line and of bearable length, whatever it contains.
  ///
  /// It stands in messages for what somebody typed: control characters are spelled out, so that
  /// a message stays one line and cannot steer the terminal.
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
