/// A count as people type it: `20`.
enum CountText {
  /// The positive whole number that `text` describes.
  ///
  /// - Throws: A usage error if `text` is anything else.
  static func parse(_ text: String) throws(CommandError) -> Int {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    let isNumber = digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard !digits.isEmpty, isNumber, text.utf8.count - digits.count <= 1 else {
      throw .usage("\(text.quoted) is not a whole number")
    }
    guard let count = Int(text) else {
      throw .usage("\(text.quoted) is too large a number")
    }
    guard count > 0 else {
      throw .usage("\(text.quoted) is not a positive number")
    }
    return count
  }
}
