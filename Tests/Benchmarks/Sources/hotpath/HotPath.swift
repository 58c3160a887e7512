import Dispatch
import Pacing

/// Runs one hot path so many times, and nothing else: `Tests/Benchmarks/guard` counts its
/// instructions.
///
/// usage: hotpath <name> <count>
@main
struct HotPath {
  /// A time that does not pass while the program runs.
  private static let long = Duration.seconds(86_400)

  static func main() {
    let words = CommandLine.arguments
    guard words.count == 3, let count = Int(words[2]), let prepare = paths[words[1]] else {
      print(paths.keys.sorted().joined(separator: "\n"))
      return
    }
    prepare()(count)
  }

  /// By name, what makes the tool and returns the path.
  private static let paths: [String: @Sendable () -> (Int) -> Void] = [
    "Debouncer.send": {
      let debouncer = Debouncer<Int>(for: long) { _ in }
      return { for number in 0..<$0 { debouncer.send(number) } }
    },
    "Throttler.send": {
      let delivered = DispatchSemaphore(value: 0)
      let throttler = Throttler<Int>(every: long) { _ in delivered.signal() }
      // The window's leading value, whose thread would else start in longer runs only.
      throttler.send(-1)
      delivered.wait()
      return { for number in 0..<$0 { throttler.send(number) } }
    },
    "KeyedDebouncer.send": {
      let debouncer = KeyedDebouncer<Int, Int>(for: long) { _, _ in }
      return { for number in 0..<$0 { debouncer.send(number, for: number % 1_000) } }
    },
    "KeyedRateLimiter.tryAcquire": {
      let limiter = KeyedRateLimiter<Int>(
        rate: .every(long), burst: 1_000_000, maximumKeys: 2_000)
      return { for number in 0..<$0 { precondition(limiter.tryAcquire(for: number % 1_000)) } }
    },
    "TokenBucket.tryAcquire-allow": {
      let bucket = TokenBucket(rate: .perSecond(1_000_000_000), burst: 1_000_000_000)
      return { for _ in 0..<$0 { precondition(bucket.tryAcquire()) } }
    },
    "TokenBucket.tryAcquire-deny": {
      let bucket = TokenBucket(rate: .every(long), burst: 1, initial: 0)
      return { for _ in 0..<$0 { precondition(!bucket.tryAcquire()) } }
    },
    "TokenBucket.request-deny": {
      let bucket = TokenBucket(rate: .every(long), burst: 1, initial: 0)
      return { for _ in 0..<$0 { precondition(bucket.request().retryAfter != nil) } }
    },
    "DispatchTimer.resume+suspend": {
      let timer = DispatchTimer(.every(long)) { _ in }
      timer.start()
      timer.suspend()
      return { count in
        for _ in 0..<count {
          precondition(timer.resume())
          timer.suspend()
        }
      }
    },
    "DispatchTimer.make+start+cancel": {
      { count in
        for _ in 0..<count {
          let timer = DispatchTimer(.every(long)) { _ in }
          timer.start()
          timer.cancel()
        }
      }
    },
    "Debouncer.send+cancel": {
      let debouncer = Debouncer<Int>(for: long) { _ in }
      return { count in
        for number in 0..<count {
          debouncer.send(number)
          precondition(debouncer.cancel() == number)
        }
      }
    },
  ]
}
