extension ConfigurationError {
  /// Stops the program where an argument is a programmer's error, with the error's own sentence.
  ///
  /// `precondition` would stop it too, but says nothing in an optimised build.
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
