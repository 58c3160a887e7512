/// A forward scanner over the bytes of a field value.
///
/// It never works on characters, because a grapheme cluster can be as long as the field.
struct ByteScanner {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Starts after leading blanks.
  init(trimming text: String) {
    self.init(text)
    skipBlanks()
  }

  var isAtEnd: Bool { index == bytes.count }

  var peek: UInt8? { isAtEnd ? nil : bytes[index] }

  /// Takes the next byte.
  mutating func next() -> UInt8? {
    defer { index += isAtEnd ? 0 : 1 }
    return peek
  }

  /// Takes the next byte if it is `byte`.
  mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    index += 1
    return true
  }

  /// Takes the bytes of `text` if they come next, otherwise none.
  mutating func take(_ text: String) -> Bool {
    guard bytes[index...].starts(with: text.utf8) else { return false }
    index += text.utf8.count
    return true
  }

  @discardableResult
  mutating func skip(while isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = index
    while let next = peek, isWanted(next) { index += 1 }
    return bytes[start..<index]
  }

  mutating func skipBlanks() {
    skip { $0.isBlank }
  }

  // MARK: Or malformed

  mutating func expect(_ text: String) throws(Malformed) {
    guard take(text) else { throw Malformed() }
  }

  /// Takes blanks, and requires the end of the text.
  mutating func expectEnd() throws(Malformed) {
    skipBlanks()
    guard isAtEnd else { throw Malformed() }
  }

  /// Takes a number of exactly `digits` digits, at most nine.
  mutating func number(digits: Int) throws(Malformed) -> Int {
    var number = 0
    for _ in 0..<digits {
      guard let digit = next(), digit.isDigit else { throw Malformed() }
      number = number * 10 + digit.digit
    }
    return number
  }

  /// Takes one of the names, and returns its index.
  mutating func index(in names: [String]) throws(Malformed) -> Int {
    for (index, name) in names.enumerated() where take(name) { return index }
    throw Malformed()
  }

  /// Takes `hh:mm:ss`, in seconds; a leap second is the first second of the next minute.
  mutating func timeOfDay() throws(Malformed) -> Int {
    let hour = try number(digits: 2)
    try expect(":")
    let minute = try number(digits: 2)
    try expect(":")
    let second = try number(digits: 2)
    guard hour < 24, minute < 60, second <= 60 else { throw Malformed() }
    return (hour * 60 + minute) * 60 + second
  }
}

/// Malformed text; a field that holds it is ignored as a whole.
struct Malformed: Error {}

extension ArraySlice<UInt8> {
  /// The value of at most eighteen digits.
  var wholeNumber: Int64 { reduce(0) { $0 * 10 + Int64($1.digit) } }
}

extension UInt8 {
  var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  /// The value of a digit.
  var digit: Int { Int(self & 0x0f) }
  var isLowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
  var isLetter: Bool { (self | 0x20).isLowercase }
}
