extension ConfigurationError {
  /// Stops the program with the error's description unless a condition on an argument is met.
  ///
  /// `precondition` would stop it too, but without a message in an optimised build.
  @inline(__always)
  package static func require(
    _ isMet: Bool, _ parameter: String, _ value: @autoclosure () -> some Any,
    must requirement: @autoclosure () -> String,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    if !isMet { fail(parameter, value(), requirement(), file, line) }
  }

  @inline(never)
  private static func fail(
    _ parameter: String, _ value: some Any, _ requirement: String,
    _ file: StaticString, _ line: UInt
  ) -> Never {
    fatalError(
      ConfigurationError(parameter, value, must: requirement).description, file: file, line: line)
  }
}
