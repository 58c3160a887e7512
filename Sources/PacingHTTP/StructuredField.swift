/// The structured field values (RFC 9651) that rate limits use.
enum StructuredField {
  /// A bare item, without parameters.
  enum Value: Hashable, Sendable {
    case integer(Int64)
    case string(String)
    case token(String)
    case bytes([UInt8])
    case boolean(Bool)
    /// A decimal, a date or a display string: well-formed, but meaningless here.
    case other
  }

  /// A value with its parameters.
  struct Item: Hashable, Sendable {
    var value: Value
    var parameters = [String: Value]()

    /// A parameter that must be a non-negative integer.
    func count(_ name: String) throws(Malformed) -> Int64? {
      switch parameters[name] {
      case nil: return nil
      case .integer(let count) where count >= 0: return count
      default: throw Malformed()
      }
    }

    /// A parameter that must be a byte sequence.
    func bytes(_ name: String) throws(Malformed) -> [UInt8]? {
      switch parameters[name] {
      case nil: return nil
      case .bytes(let bytes): return bytes
      default: throw Malformed()
      }
    }

    /// A parameter that must be a string.
    func string(_ name: String) throws(Malformed) -> String? {
      switch parameters[name] {
      case nil: return nil
      case .string(let text): return text
      default: throw Malformed()
      }
    }
  }

  /// The largest integer that a structured field can hold.
  static let largest: Int64 = 999_999_999_999_999

  /// A quoted string.
  ///
  /// Characters that a field cannot hold become underscores, so a name cannot inject a field.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case " "..."~": quoted.unicodeScalars.append(scalar)
      default: quoted += "_"
      }
    }
    return quoted + "\""
  }

  /// An integer, clamped to the range of a field.
  static func number(_ number: Int) -> String {
    "\(min(max(0, Int64(number)), largest))"
  }

  /// Whole seconds as text, rounded up and clamped to the range of a field.
  static func seconds(_ duration: Duration) -> String {
    "\(wholeSeconds(duration))"
  }

  /// Whole seconds, rounded up and clamped to the range of a field.
  static func wholeSeconds(_ duration: Duration) -> Int64 {
    guard duration > .zero else { return 0 }
    guard duration < .seconds(largest) else { return largest }
    let (seconds, attoseconds) = duration.components
    return seconds + (attoseconds > 0 ? 1 : 0)
  }
}
