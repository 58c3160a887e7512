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
}

extension Obstacle {
  /// What is missing or wrong.
  var reason: String {
    switch self {
    case .unsupported(let reason), .malformed(let reason), .broken(let reason): reason
    }
  }
}
