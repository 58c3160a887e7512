import Pacing
import Testing

/// Runs a suite's tests one at a time: while one of them runs, no other test with this trait does.
///
/// Tests without it run meanwhile. Nested suites inherit it; declared again there, a test would
/// wait for itself.
struct Alone: SuiteTrait, TestTrait, TestScoping {
  private static let turn = ConcurrencyLimit(1)

  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await Self.turn.withPermit { try await function() }
  }
}

extension Trait where Self == Alone {
  /// For a suite that keeps threads, processors or memory busy.
  static var alone: Self { Self() }
}
