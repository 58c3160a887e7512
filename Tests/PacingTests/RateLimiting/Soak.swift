import Foundation

/// How many random sequences a law is checked on.
enum Soak {
  /// The seeds of `count` runs, times the environment variable PACING_SOAK; a failure names its seed.
  static func seeds(_ count: Int) -> [UInt64] {
    let scale = ProcessInfo.processInfo.environment["PACING_SOAK"].flatMap { Int($0) } ?? 1
    return (1...UInt64(count * max(1, scale))).map { $0 }
  }
}
