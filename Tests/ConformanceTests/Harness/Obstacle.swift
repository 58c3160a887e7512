import Pacing

/// Why a case did not run to its end.
enum Obstacle: Error, Hashable {
  /// The library or the driver lacks something; the class names it.
  case unsupported(String)
  /// The case violates the schema.
  case malformed(String)
  /// The tool does something that no case can expect, such as never coming to rest.
  case broken(String)
}

extension Obstacle {
  /// What is missing, in the schema's spelling of classes.
  static func missing(_ name: String) -> Obstacle {
    .unsupported(name.replacing("_", with: "-"))
  }

  /// Nothing if the library accepts a setting; no case expects that it stops the program.
  static func requireAccepted(_ isAccepted: Bool) throws(Obstacle) {
    if !isAccepted { throw .missing("rejection") }
  }

  /// The value that `make` creates; no case expects a rejection.
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
