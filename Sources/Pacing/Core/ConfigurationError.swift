/// An invalid setting: its name, its value, and what it must be.
public struct ConfigurationError: Error, Hashable, Sendable {
  /// The name of the parameter, as the initialiser spells it.
  public let parameter: String

  /// The invalid value, as text.
  public let value: String

  /// What the value must be, as the end of a sentence: "be positive".
  public let requirement: String

  package init(_ parameter: String, _ value: some Any, must requirement: String) {
    self.parameter = parameter
    self.value = String(describing: value)
    self.requirement = requirement
  }
}

extension ConfigurationError: CustomStringConvertible {
  /// One sentence: "every must be positive, but is 0.0 seconds".
  public var description: String {
    "\(parameter) must \(requirement), but is \(value)"
  }
}

extension ConfigurationError {
  /// The result of a validating initialiser for a constant of the program.
  ///
  /// - Precondition: `make` does not throw. An invalid constant stops the program at the caller's
  ///   line, with the error's description.
  package static func trapping<Value>(
    _ make: @autoclosure () throws(ConfigurationError) -> Value,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Value {
    do {
      return try make()
    } catch {
      fatalError(error.description, file: file, line: line)
    }
  }
}
