/// An invalid setting: its name, its value, and what it must be.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the setting: that of the parameter, or of the method if that has no label.
  public let parameter: String

  /// The invalid value, as text.
  public let value: String

  /// What the value must be, as the end of a sentence: "be positive".
  public let requirement: String

  @inline(never)
  package init(_ parameter: String, _ value: some Any, must requirement: String) {
    self.parameter = parameter
    self.value = String(describing: value)
    self.requirement = requirement
  }

  /// One sentence: "every must be positive, but is 0.0 seconds".
  public var description: String { "\(parameter) must \(requirement), but is \(value)" }

  /// What `make` returns; an error stops the program with its description.
  package static func trapping<Value>(
    _ make: @autoclosure () throws(ConfigurationError) -> Value,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Value {
    do {
      return try make()
    } catch {
      error.stop(file, line)
    }
  }

  /// Stops the program unless a condition on an argument is met, as `precondition` would, but with
  /// a message in optimised builds too.
  @inline(__always)
  package static func require(
    _ isMet: Bool, _ parameter: String, _ value: @autoclosure () -> some Any,
    must requirement: @autoclosure () -> String,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    if !isMet { ConfigurationError(parameter, value(), must: requirement()).stop(file, line) }
  }

  @inline(never)
  private func stop(_ file: StaticString, _ line: UInt) -> Never {
    fatalError(description, file: file, line: line)
  }
}

extension DecodingError {
  /// What `make` returns; a ``ConfigurationError`` becomes a `DecodingError` with a coding path.
  static func wrapping<Value>(
    at path: [any CodingKey], _ make: () throws -> Value
  ) throws -> Value {
    do {
      return try make()
    } catch let error as ConfigurationError {
      throw dataCorrupted(Context(codingPath: path, debugDescription: error.description))
    }
  }
}
