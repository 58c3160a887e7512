/// A parser of structured fields (RFC 9651), in one pass and without recursion.
struct StructuredFieldParser {
  typealias Item = StructuredField.Item
  typealias Value = StructuredField.Value

  private var text: ByteScanner

  init(_ text: String) {
    self.text = ByteScanner(text)
    self.text.skip { $0 == .space }
  }

  /// The items of a list; a list with inner lists is treated as malformed.
  static func list(_ text: String) throws(Malformed) -> [Item] {
    var parser = StructuredFieldParser(text)
    var items = [Item]()
    try parser.separated { parser throws(Malformed) in items.append(try parser.item()) }
    return items
  }

  /// The members of a dictionary; the last duplicate of a key wins.
  static func dictionary(_ text: String) throws(Malformed) -> [String: Item] {
    var parser = StructuredFieldParser(text)
    var members = [String: Item]()
    try parser.separated { parser throws(Malformed) in
      let key = try parser.key()
      if parser.text.take("=") {
        members[key] = try parser.item()
      } else {
        members[key] = Item(value: .boolean(true), parameters: try parser.parameters())
      }
    }
    return members
  }

  /// Parses one or more members separated by commas, up to the end of the text.
  private mutating func separated(
    _ member: (inout Self) throws(Malformed) -> Void
  ) throws(Malformed) {
    while true {
      try member(&self)
      text.skipBlanks()
      if text.isAtEnd { return }
      try text.expect(",")
      text.skipBlanks()
    }
  }

  private mutating func item() throws(Malformed) -> Item {
    Item(value: try value(), parameters: try parameters())
  }

  private mutating func parameters() throws(Malformed) -> [String: Value] {
    var parameters = [String: Value]()
    while text.take(";") {
      text.skip { $0 == .space }
      let key = try key()
      parameters[key] = text.take("=") ? try value() : .boolean(true)
    }
    return parameters
  }

  private mutating func key() throws(Malformed) -> String {
    guard let first = text.peek, first.isLowercase || first == UInt8(ascii: "*") else {
      throw Malformed()
    }
    return string(text.skip { $0.isLowercase || $0.isDigit || $0.isOne(of: "_-.*") })
  }

  private mutating func value() throws(Malformed) -> Value {
    guard let first = text.peek else { throw Malformed() }
    switch first {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: ":"): return .bytes(try byteSequence())
    case UInt8(ascii: "?"): return .boolean(try boolean())
    case UInt8(ascii: "@"):
      try text.expect("@")
      guard case .integer = try number() else { throw Malformed() }
      return .other
    case UInt8(ascii: "%"):
      try displayString()
      return .other
    case UInt8(ascii: "-"): return try number()
    case _ where first.isDigit: return try number()
    case _ where first.isLetter || first == UInt8(ascii: "*"):
      return .token(
        string(text.skip { $0.isDigit || $0.isLetter || $0.isOne(of: "!#$%&'*+-.^_`|~:/") }))
    default: throw Malformed()
    }
  }

  private mutating func number() throws(Malformed) -> Value {
    let isNegative = text.take("-")
    let whole = text.skip { $0.isDigit }
    guard (1...15).contains(whole.count) else { throw Malformed() }
    guard text.take(".") else {
      let number = whole.wholeNumber
      return .integer(isNegative ? -number : number)
    }
    guard whole.count <= 12, (1...3).contains(text.skip { $0.isDigit }.count) else {
      throw Malformed()
    }
    return .other
  }

  private mutating func string() throws(Malformed) -> String {
    try text.expect("\"")
    var content = [UInt8]()
    while let next = text.next() {
      switch next {
      case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = text.next(), escaped.isOne(of: "\"\\") else { throw Malformed() }
        content.append(escaped)
      case _ where next.isPrintable: content.append(next)
      default: throw Malformed()
      }
    }
    throw Malformed()
  }

  /// Takes a display string: printable ASCII that decodes to valid UTF-8.
  ///
  /// Two lowercase hexadecimal digits after `%` encode a byte; a backslash is literal.
  private mutating func displayString() throws(Malformed) {
    try text.expect("%\"")
    var content = [UInt8]()
    while let next = text.next() {
      switch next {
      case UInt8(ascii: "\""):
        guard String(validating: content, as: UTF8.self) != nil else { throw Malformed() }
        return
      case UInt8(ascii: "%"):
        guard let high = text.next()?.hexadecimal, let low = text.next()?.hexadecimal else {
          throw Malformed()
        }
        content.append(high << 4 | low)
      case _ where next.isPrintable: content.append(next)
      default: throw Malformed()
      }
    }
    throw Malformed()
  }

  private mutating func boolean() throws(Malformed) -> Bool {
    if text.take("?1") { return true }
    try text.expect("?0")
    return false
  }

  private mutating func byteSequence() throws(Malformed) -> [UInt8] {
    try text.expect(":")
    let encoded = text.skip { $0 != UInt8(ascii: ":") }
    guard text.take(":"), let bytes = Base64.decoded(encoded) else { throw Malformed() }
    return bytes
  }

  private func string(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate static var space: UInt8 { UInt8(ascii: " ") }
  fileprivate var isPrintable: Bool { (UInt8(ascii: " ")...UInt8(ascii: "~")).contains(self) }
  /// The value of a lowercase hexadecimal digit.
  fileprivate var hexadecimal: UInt8? {
    if isDigit { return UInt8(digit) }
    return (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self) ? self - 87 : nil
  }
  fileprivate func isOne(of characters: StaticString) -> Bool {
    characters.description.utf8.contains(self)
  }
}
