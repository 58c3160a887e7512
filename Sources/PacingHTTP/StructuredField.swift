/// The structured values of HTTP fields (RFC 9651), as far as rate limits are told by them.
enum StructuredField {
  /// An item without its parameters.
  enum Value: Hashable, Sendable {
    case integer(Int)
    case string(String)
    case token(String)
    case bytes([UInt8])
    case boolean(Bool)
    /// A decimal, a date or a display string: well formed, and of no meaning here.
    case other
  }

  /// A value and what is said about it.
  struct Item: Hashable, Sendable {
    var value: Value
    var parameters = [String: Value]()

    /// A parameter that must be a whole number from zero on.
    func count(_ name: String) throws(Malformed) -> Int? {
      switch parameters[name] {
      case nil: return nil
      case .integer(let count) where count >= 0: return count
      default: throw Malformed()
      }
    }

    /// A parameter that must be bytes.
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
  static let largest = 999_999_999_999_999

  /// A string with its quotes.
  ///
  /// What a field cannot hold becomes an underscore, so no name can begin a field of its own.
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

  /// A whole number, or the nearest that a field can hold.
  static func number(_ number: Int) -> String {
    "\(min(max(0, number), largest))"
  }

  /// Whole seconds, rounded up, or the nearest that a field can hold.
  static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = min(max(.zero, duration), .seconds(largest)).components
    return number(Int(seconds) + (attoseconds > 0 ? 1 : 0))
  }
}
