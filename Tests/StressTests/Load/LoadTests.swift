import Pacing
import PacingTesting
import TestSupport
import Testing

/// Real load, one kind after the other: a hundredth of it in every run, all of it where PACING_SOAK
/// is 100.
@Suite("Load", .serialized)
struct LoadTests {
  /// Whether this is the full load, which runs alone, so that memory can be measured.
  static var isFull: Bool { Soak.scale >= 100 }

  /// A hundredth of the full count, times the scale.
  static func count(_ full: Int) -> Int { max(1, full / 100 * Soak.scale) }

  /// Notes what the process keeps, runs the load, and checks that it keeps no more afterwards.
  ///
  /// - Parameters:
  ///   - name: What the load is.
  ///   - errors: How many errors it throws at the most: the test library keeps up to a kilobyte of
  ///     each, the backtrace. A program without it keeps nothing.
  ///   - load: The load.
  static func memory(
    _ name: String, errors: Int = 0, _ load: () async throws -> Void
  ) async rethrows {
    // The first time, the test library and the system keep what they go on to use.
    if isFull { try await load() }
    let before = Memory.trimmedBytes
    try await load()
    guard isFull, let before, let after = Memory.trimmedBytes else { return }
    let growth = (after - before) / 1_000_000
    print("load: \(name): \(growth) MB more than before")
    #expect(growth < 30 + errors / 1000, "\(name)")
  }

  /// Prints a figure of the full load.
  static func report(_ line: @autoclosure () -> String) {
    if isFull { print("load: \(line())") }
  }
}
