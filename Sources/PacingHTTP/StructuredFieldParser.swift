/// Reads the text of a structured field (RFC 9651), in one pass and without recursion.
struct StructuredFieldParser {
  typealias Item = StructuredField.Item
  typealias Value = StructuredField.Value
  typealias Malformed = StructuredField.Malformed

  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
    skip { $0 == .space }
  }

  /// The items of a list; one that holds lists itself is malformed here.
  static func list(_ text: String) throws(Malformed) -> [Item] {
    var parser = StructuredFieldParser(text)
    var items = [Item]()
    try parser.separated { parser throws(Malformed) in items.append(try parser.item()) }
    return items
  }

  /// The members of a dictionary; the last one of a name counts.
  static func dictionary(_ text: String) throws(Malformed) -> [String: Item] {
    var parser = StructuredFieldParser(text)
    var members = [String: Item]()
    try parser.separated { parser throws(Malformed) in
      let key = try parser.key()
      if parser.take(UInt8(ascii: "=")) {
        members[key] = try parser.item()
      } else {
        members[key] = Item(value: .boolean(true), parameters: try parser.parameters())
      }
    }
    return members
  }

  /// Members between commas, at least one, up to the end of the text.
  private mutating func separated(
    _ member: (inout Self) throws(Malformed) -> Void
  ) throws(Malformed) {
    while true {
      try member(&self)
      skip { $0 == .space || $0 == .tab }
      if index == bytes.count { return }
      guard take(UInt8(ascii: ",")) else { throw Malformed() }
      skip { $0 == .space || $0 == .tab }
    }
  }

  private mutating func item() throws(Malformed) -> Item {
    Item(value: try value(), parameters: try parameters())
  }

  private mutating func parameters() throws(Malformed) -> [String: Value] {
    var parameters = [String: Value]()
    while take(UInt8(ascii: ";")) {
      skip { $0 == .space }
      let key = try key()
      parameters[key] = take(UInt8(ascii: "=")) ? try value() : .boolean(true)
    }
    return parameters
  }

  private mutating func key() throws(Malformed) -> String {
    guard let first = peek, first.isLowercase || first == UInt8(ascii: "*") else {
      throw Malformed()
    }
    return text(skip { $0.isLowercase || $0.isDigit || $0.isOne(of: "_-.*") })
  }

  private mutating func value() throws(Malformed) -> Value {
    guard let first = peek else { throw Malformed() }
    switch first {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: ":"): return .bytes(try byteSequence())
    case UInt8(ascii: "?"): return .boolean(try boolean())
    case UInt8(ascii: "@"):
      index += 1
      guard case .integer = try number() else { throw Malformed() }
      return .other
    case UInt8(ascii: "%"):
      index += 1
      _ = try string()
      return .other
    case UInt8(ascii: "-"): return try number()
    case _ where first.isDigit: return try number()
    case _ where first.isLetter || first == UInt8(ascii: "*"):
      return .token(
        text(skip { $0.isDigit || $0.isLetter || $0.isOne(of: "!#$%&'*+-.^_`|~:/") }))
    default: throw Malformed()
    }
  }

  private mutating func number() throws(Malformed) -> Value {
    let isNegative = take(UInt8(ascii: "-"))
    let whole = skip { $0.isDigit }
    guard (1...15).contains(whole.count) else { throw Malformed() }
    guard take(UInt8(ascii: ".")) else {
      let number = whole.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      return .integer(isNegative ? -number : number)
    }
    guard whole.count <= 12, (1...3).contains(skip { $0.isDigit }.count) else { throw Malformed() }
    return .other
  }

  private mutating func string() throws(Malformed) -> String {
    guard take(UInt8(ascii: "\"")) else { throw Malformed() }
    var content = [UInt8]()
    while let next = peek {
      index += 1
      switch next {
      case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = peek, escaped.isOne(of: "\"\\") else { throw Malformed() }
        index += 1
        content.append(escaped)
      case UInt8(ascii: " ")...UInt8(ascii: "~"): content.append(next)
      default: throw Malformed()
      }
    }
    throw Malformed()
  }

  private mutating func boolean() throws(Malformed) -> Bool {
    index += 1
    if take(UInt8(ascii: "1")) { return true }
    if take(UInt8(ascii: "0")) { return false }
    throw Malformed()
  }

  private mutating func byteSequence() throws(Malformed) -> [UInt8] {
    index += 1
    let encoded = skip { $0 != UInt8(ascii: ":") }
    guard take(UInt8(ascii: ":")), let bytes = Base64.decoded(encoded) else { throw Malformed() }
    return bytes
  }

  // MARK: Bytes

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    index += 1
    return true
  }

  @discardableResult
  private mutating func skip(while isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = index
    while let next = peek, isWanted(next) { index += 1 }
    return bytes[start..<index]
  }

  private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension UInt8 {
  fileprivate static var space: UInt8 { UInt8(ascii: " ") }
  fileprivate static var tab: UInt8 { UInt8(ascii: "\t") }
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isLowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
  fileprivate var isLetter: Bool { (self | 0x20).isLowercase }
  fileprivate func isOne(of characters: StaticString) -> Bool {
    characters.description.utf8.contains(self)
  }
}
