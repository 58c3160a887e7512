import CAllocations
import Dispatch
import Pacing

extension Rows {
  /// What a pending tool takes, what is left of it when it has been released, and how often a hot
  /// path asks the allocator for a block.
  static var memory: [Row] {
    bytes("DispatchTimer pending") {
      DispatchTimer.scheduled(after: .seconds(86_400)) {}
    }
      + bytes("Debouncer pending") {
        let debouncer = Debouncer<Int>(for: .seconds(86_400)) { consume($0) }
        debouncer.send(1)
        return debouncer
      }
      + bytes("DispatchSourceTimer pending") {
        let source = DispatchSource.makeTimerSource()
        source.setEventHandler {}
        source.schedule(deadline: .now() + .seconds(86_400))
        source.activate()
        return Source(source)
      }
      + bytes("TokenBucket") { TokenBucket(rate: .every(.seconds(86_400)), burst: 1) }
      + [waiter, waitingKey]
  }

  private static var waiter: Row {
    Row("a waiter of a TokenBucket, memory", unit: "B", count: 20_000, turns: .once) { count in
      let bucket = TokenBucket(rate: .every(.seconds(86_400)), burst: 1, initial: 0)
      defer { bucket.close() }
      return grown(by: count) { _ in bucket.acquire { _ in } }
    }
  }

  private static var waitingKey: Row {
    Row("a key that waits, memory", unit: "B", count: 20_000, turns: .once) { count in
      let limiter = KeyedRateLimiter<UInt64>(
        rate: .every(.seconds(86_400)), burst: 1, maximumKeys: 2 * count)
      defer { limiter.close() }
      return grown(by: count) {
        precondition(limiter.tryAcquire(for: UInt64($0)))
        limiter.acquire(for: UInt64($0)) { _ in }
      }
    }
  }

  private static func grown(by count: Int, _ add: (Int) -> Void) -> Double {
    let before = allocated_bytes()
    for number in 0..<count { add(number) }
    return Double(allocated_bytes() - before) / Double(count)
  }

  /// Blocks that a hot path takes, by the rows that measure its time: none is the goal.
  static var allocations: [Row] {
    let paths = [
      "TokenBucket.tryAcquire allow", "TokenBucket.tryAcquire deny", "Debouncer.send",
      "Throttler.send", "DispatchTimer resume + suspend", "DispatchTimer make + start + cancel",
    ]
    return (limits + values + timers).filter { paths.contains($0.name) }.map { row in
      Row("\(row.name), allocations", unit: "blocks", count: 1_000, turns: .once) { count in
        // The first time may make room for what comes.
        _ = await row.measure(count)
        return await row.allocations(count)
      }
    }
  }

  private static func bytes(_ name: String, _ make: @escaping () -> AnyObject) -> [Row] {
    func measure(_ count: Int, whatRemains: Bool) -> Double {
      let before = allocated_bytes()
      var tools = [AnyObject]()
      for _ in 0..<count { tools.append(make()) }
      if whatRemains { tools = [] }
      let bytes = allocated_bytes() - before
      withExtendedLifetime(tools) {}
      return Double(bytes) / Double(count)
    }
    return [
      Row("\(name), memory", unit: "B", count: 20_000, turns: .once) {
        measure($0, whatRemains: false)
      },
      Row("\(name), memory after release", unit: "B", count: 20_000, turns: .once) {
        measure($0, whatRemains: true)
      },
    ]
  }

  /// A source that is cancelled when it is dropped, as a timer of ours is.
  private final class Source {
    private let source: any DispatchSourceTimer

    init(_ source: any DispatchSourceTimer) {
      self.source = source
    }

    deinit {
      source.cancel()
    }
  }
}
