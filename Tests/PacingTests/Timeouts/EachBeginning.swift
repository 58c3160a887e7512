import Pacing
import Testing

/// Runs each test twice: with tasks that begin at once, and as on systems where a timeout's task
/// begins a step later, because they have no `Task.immediate`.
struct EachBeginning: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await function()
    try await ManualTime.$beginsTasksAtOnce.withValue(false) { try await function() }
  }
}

extension Trait where Self == EachBeginning {
  /// For a suite whose clocks are made by its tests.
  static var eachBeginning: Self { Self() }
}
