import Dispatch
import Pacing

/// Runs one hot path so many times, and nothing else: `Tests/Benchmarks/guard` counts its
/// instructions.
///
/// usage: hotpath <name> <count>
@main
struct HotPath {
  /// By name, what makes the tool and returns the path.
  typealias Paths = [String: @Sendable () -> (Int) -> Void]

  /// A time that does not pass while the program runs.
  static let long = Duration.seconds(86_400)

  private static let paths = [values, limits, waits, permits, keyedLimits, operations]
    .reduce(into: Paths()) { $0.merge($1) { first, _ in first } }

  static func main() {
    let words = CommandLine.arguments
    guard words.count == 3, let count = Int(words[2]), let prepare = paths[words[1]] else {
      print(paths.keys.sorted().joined(separator: "\n"))
      return
    }
    prepare()(count)
  }

  /// A path of a task, one call after the other.
  static func inTask(_ call: @escaping @Sendable () async throws -> Void) -> (Int) -> Void {
    { count in
      let end = DispatchSemaphore(value: 0)
      Task {
        for _ in 0..<count { try await call() }
        end.signal()
      }
      end.wait()
    }
  }
}
