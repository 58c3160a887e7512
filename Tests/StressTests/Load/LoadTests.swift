import Pacing
import PacingTesting
import TestSupport
import Testing

/// Real load, one kind at a time: 1 % in every run, all of it if PACING_SOAK is 100.
@Suite("Load", .serialized, .alone)
struct LoadTests {
  /// Whether this is the full load, which runs alone, so that memory is measurable.
  static var isFull: Bool { Soak.scale >= 100 }

  /// 1 % of the full count, times the scale.
  static func count(_ full: Int) -> Int { max(1, full / 100 * Soak.scale) }

  /// Runs the load, and checks that the process keeps no more memory than before.
  ///
  /// - Parameters:
  ///   - name: The name of the load.
  ///   - errors: The maximum number of errors thrown. The test library keeps up to a kilobyte for
  ///     each, the backtrace; a program without it keeps nothing.
  ///   - load: The load.
  static func memory(
    _ name: String, errors: Int = 0, _ load: () async throws -> Void
  ) async rethrows {
    // The first run fills caches of the test library and the system.
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
