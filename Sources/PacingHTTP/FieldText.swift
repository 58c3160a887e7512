/// A number as the older fields write it: digits, perhaps with a fraction, perhaps the first of a
/// list.
struct FieldText {
  /// Rounded down.
  let number: Int
  private let hasFraction: Bool

  /// Rounded up.
  var roundedUp: Int { number + (hasFraction ? 1 : 0) }

  /// Nil where the text does not begin with a number of at most fifteen digits.
  init?(_ text: String) {
    let first = Self.trimmed(text).prefix { $0 != "," && $0 != ";" }
    let parts = Self.trimmed(first).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, (1...15).contains(whole.utf8.count),
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.digits.contains) }),
      let number = Int(whole)
    else { return nil }
    self.number = number
    hasFraction = parts.dropFirst().contains { $0.utf8.contains { $0 != UInt8(ascii: "0") } }
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  /// Without the spaces and tabs around it.
  static func trimmed(_ text: some StringProtocol) -> Substring {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let tail = Substring(text).drop(while: isBlank)
    guard let last = tail.lastIndex(where: { !isBlank($0) }) else { return "" }
    return tail[...last]
  }
}
