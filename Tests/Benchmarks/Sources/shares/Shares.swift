import Pacing
import Synchronization

/// Prints the shares of their rates that token buckets grant to tasks that wait, one line each: the
/// rate, the burst, the number of tasks and the share in percent.
///
/// usage: shares <milliseconds for each>
@main
struct Shares {
  /// The grants so far, and the instant of the last one.
  private struct Grants {
    var count = 0
    var last: ContinuousClock.Instant

    mutating func add() {
      count += 1
      last = .now
    }
  }

  private final class Tally: Sendable {
    let start = ContinuousClock.now
    let grants: Mutex<Grants>

    init() {
      grants = Mutex(Grants(last: start))
    }

    /// The share of a rate, in percent, since the bucket was empty.
    func share(of rate: Int) -> Double {
      let grants = grants.withLock { $0 }
      guard grants.last > start else { return 0 }
      return 100 * Double(grants.count) / ((grants.last - start) / .seconds(1)) / Double(rate)
    }
  }

  static func main() async {
    guard CommandLine.arguments.count == 2, let time = Int(CommandLine.arguments[1]), time > 0
    else { return print("usage: shares <milliseconds for each>") }
    for rate in [10, 100, 1000, 10_000, 100_000] {
      for burst in [1, 10, 100] {
        for tasks in [1, 10, 1000] {
          let share = await share(
            of: rate, burst: burst, tasks: tasks, for: .milliseconds(time))
          let tenths = Int((share * 10).rounded())
          print("\(rate)\t\(burst)\t\(tasks)\t\(tenths / 10).\(tenths % 10)")
        }
      }
    }
  }

  private static func share(
    of rate: Int, burst: Int, tasks: Int, for time: Duration
  ) async -> Double {
    let tally = Tally()
    let bucket = TokenBucket(rate: .perSecond(rate), burst: burst, initial: 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          while !Task.isCancelled, (try? await bucket.acquire()) != nil {
            tally.grants.withLock { $0.add() }
          }
        }
      }
      try? await Task.sleep(for: time)
      group.cancelAll()
    }
    return tally.share(of: rate)
  }
}
