extension Scene {
  /// A short name for the event with this number: a letter, as in a marble diagram.
  static func letter(_ index: Int) -> String {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    return String(letters[letters.index(letters.startIndex, offsetBy: index % letters.count)])
  }
}
