import Pacing

/// Why a case was not run to its end.
enum Obstacle: Error, Hashable {
  /// The library, or the driver, has no such thing; the class names what is missing.
  case unsupported(String)
  /// The case is not what the schema says.
  case malformed(String)
  /// The tool does something that no case can expect, such as never coming to rest.
  case broken(String)
}

extension Obstacle {
  /// What is missing, spelled as the schema spells its classes.
  static func missing(_ name: String) -> Obstacle {
    .unsupported(name.replacing("_", with: "-"))
  }

  /// What the library makes of settings; how it rejects them is no answer that a case expects.
  static func accepted<Value>(
    _ make: () throws(ConfigurationError) -> Value
  ) throws(Obstacle) -> Value {
    do {
      return try make()
    } catch {
      throw .missing("rejection")
    }
  }
}

extension Obstacle {
  /// What is missing or wrong.
  var reason: String {
    switch self {
    case .unsupported(let reason), .malformed(let reason), .broken(let reason): reason
    }
  }
}
