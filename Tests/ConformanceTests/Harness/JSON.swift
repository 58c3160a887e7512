import Foundation

/// One value of a vector file; integers stay exact.
enum JSON: Decodable, Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let array = try? container.decode([JSON].self) {
      self = .array(array)
    } else if let object = try? container.decode([String: JSON].self) {
      self = .object(object)
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if container.decodeNil() {
      self = .null
    } else {
      self = .number(try container.decode(Double.self))
    }
  }
}

extension JSON {
  /// The text, if the value is a string.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The boolean, if the value is one.
  var flag: Bool? {
    if case .bool(let flag) = self { flag } else { nil }
  }

  /// The elements, if the value is an array.
  var elements: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members, if the value is an object.
  var members: [String: JSON]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The number as a `Double`, if the value is one.
  var double: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }

  /// The integer, if the value is one.
  var count: Int? {
    switch self {
    case .integer(let integer): Int(exactly: integer)
    case .number(let number): Int(exactly: number)
    default: nil
    }
  }
}

extension [String: JSON] {
  /// The members that are not null, or that may be.
  func withoutNull(but nullable: Set<String>) -> Self {
    filter { $1 != .null || nullable.contains($0) }
  }
}

extension JSON: CustomStringConvertible {
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .string(let string): "\"\(string)\""
    case .array(let array): "[\(array.map(\.description).joined(separator: ", "))]"
    case .object(let object):
      "{\(object.sorted { $0.key < $1.key }.map { "\($0): \($1)" }.joined(separator: ", "))}"
    }
  }
}
