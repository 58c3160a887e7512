internal import Foundation

/// The number of random sequences on which a law is checked.
///
/// The count written at a law is that of `PACING_SOAK=4`, which the release gate sets. A run
/// without the variable takes an eighth of it, as a sample; a soak takes multiples.
package enum Soak {
  /// The environment variable `PACING_SOAK`; 1 if it is not set.
  package static let scale = max(1, asked ?? 1)

  private static let asked = ProcessInfo.processInfo.environment["PACING_SOAK"].flatMap { Int($0) }

  /// The number of runs, of `count` at the scale 4.
  package static func count(_ count: Int) -> Int {
    max(1, count * scale / (asked == nil ? 8 : 4))
  }

  /// The seeds of as many runs; a failure names its seed.
  package static func seeds(_ count: Int) -> [UInt64] {
    (1...UInt64(Self.count(count))).map { $0 }
  }

  /// The same seeds in portions, for short runs: a test case per run would cost more time and
  /// memory than the run itself.
  package static func portions(_ count: Int) -> [ClosedRange<UInt64>] {
    let last = UInt64(Self.count(count))
    return stride(from: 1, through: last, by: 50).map { $0...min($0 + 49, last) }
  }
}
