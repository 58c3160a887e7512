/// A number in the older fields: digits, with an optional fraction.
struct FieldNumber {
  /// The number rounded down.
  let whole: Int64
  /// The fraction in billionths, rounded up.
  let billionths: Int

  /// The number rounded up.
  var roundedUp: Int64 { whole + (billionths > 0 ? 1 : 0) }

  /// Reads a number that ends the text or precedes a comma or semicolon.
  ///
  /// Nil if there is none, or if it has more than fifteen digits before the point.
  init?(_ text: ByteScanner) {
    var text = text
    guard let number = try? text.fieldNumber() else { return nil }
    text.skipBlanks()
    guard text.isAtEnd || text.take(",") || text.take(";") else { return nil }
    self = number
  }

  fileprivate init(whole: Int64, billionths: Int) {
    self.whole = whole
    self.billionths = billionths
  }
}

extension ByteScanner {
  /// Takes a number of at most fifteen digits before the point.
  mutating func fieldNumber() throws(Malformed) -> FieldNumber {
    let digits = skip { $0.isDigit }
    guard (1...15).contains(digits.count) else { throw Malformed() }
    let whole = digits.wholeNumber
    return FieldNumber(whole: whole, billionths: take(".") ? try billionths() : 0)
  }

  /// Takes the digits after a point, as billionths rounded up.
  mutating func billionths() throws(Malformed) -> Int {
    let digits = skip { $0.isDigit }
    guard !digits.isEmpty else { throw Malformed() }
    let padded =
      digits.prefix(9) + repeatElement(UInt8(ascii: "0"), count: max(0, 9 - digits.count))
    let isMore = digits.dropFirst(9).contains { $0 != UInt8(ascii: "0") }
    return padded.reduce(0) { $0 * 10 + $1.digit } + (isMore ? 1 : 0)
  }
}
