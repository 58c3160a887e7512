extension Scene {
  /// A letter as the name of the event with this number, as in a marble diagram.
  static func letter(_ index: Int) -> String {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    return String(letters[letters.index(letters.startIndex, offsetBy: index % letters.count)])
  }
}
