/// Plays scenarios to one tool.
///
/// A driver reads the settings and operations that it knows, and stops at any other: the error
/// names the class under which the case is counted.
protocol Driver: Sendable {
  /// The classes `unsupported-…` that the tool supports.
  var features: Set<String> { get }

  /// Builds the tool on virtual time, plays the scenario, and returns what happened.
  func run(_ scenario: Scenario) throws -> Outcome
}

extension Driver {
  var features: Set<String> { [] }
}
