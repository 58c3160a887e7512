/// What plays scenarios to one tool.
///
/// A driver reads the settings and the operations that it knows and stops at every other: what it
/// throws names the class under which the case is counted.
protocol Driver: Sendable {
  /// The classes `unsupported-…` that the tool has an answer to.
  var features: Set<String> { get }

  /// Builds the tool on virtual time, plays the scenario, and reports what happened.
  func run(_ scenario: Scenario) throws -> Outcome
}

extension Driver {
  var features: Set<String> { [] }
}
