internal import Foundation

/// The number of random sequences on which a law is checked.
package enum Soak {
  /// The environment variable `PACING_SOAK`; 1 if it is not set.
  package static let scale = max(
    1, ProcessInfo.processInfo.environment["PACING_SOAK"].flatMap { Int($0) } ?? 1)

  /// The seeds of `count` runs, times the scale; a failure names its seed.
  package static func seeds(_ count: Int) -> [UInt64] {
    (1...UInt64(count * scale)).map { $0 }
  }

  /// The same seeds in portions, for short runs: a test case per run would cost more time and
  /// memory than the run itself.
  package static func portions(_ count: Int) -> [ClosedRange<UInt64>] {
    let last = UInt64(count * scale)
    return stride(from: 1, through: last, by: 50).map { $0...min($0 + 49, last) }
  }
}
