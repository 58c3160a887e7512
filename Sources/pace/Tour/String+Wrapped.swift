extension String {
  /// The text as lines of at most `width` characters, broken between words where that is possible.
  func wrapped(to width: Int) -> [String] {
    var lines = [""]
    for word in split(separator: " ") {
      if lines[lines.count - 1].isEmpty {
        lines[lines.count - 1] = String(word)
      } else if lines[lines.count - 1].count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
