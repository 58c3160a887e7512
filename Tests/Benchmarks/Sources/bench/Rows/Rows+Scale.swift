import CAllocations
import Dispatch
import Pacing

extension Rows {
  /// What does not fit into a cache: how costs grow with what is pending, and what a crowd costs.
  static var scale: [Row] {
    [1_000, 10_000, 100_000, 1_000_000].map(growth) + [
      crowd("DispatchTimer") { DispatchTimer.scheduled(after: .seconds(86_400)) {} },
      crowd("Debouncer") {
        let debouncer = Debouncer<Int>(for: .seconds(86_400)) { consume($0) }
        debouncer.send(1)
        return debouncer
      },
      pause, waiters, contention,
      sleeps("DispatchClock.sleep") { try? await DispatchClock().sleep(for: .seconds(3_600)) },
      sleeps("Task.sleep") { try? await Task.sleep(for: .seconds(3_600)) },
    ]
  }

  private static func growth(_ pending: Int) -> Row {
    Row(
      "timer schedule + cancel, \(pending) pending", unit: "ns", count: pending, turns: .few
    ) { pending in
      let others = (0..<pending).map { index in
        DispatchTimer.scheduled(after: .seconds(3_600) + .microseconds(index)) {}
      }
      // Each in turn, as far apart as they are: not one that is warm.
      let picked = stride(from: 0, to: 20_000, by: 1).map { others[($0 &* 7_919) % pending] }
      let start = Moment.now
      for timer in picked {
        timer.suspend()
        timer.resume()
      }
      return start.elapsed / Double(picked.count)
    }
  }

  private static func crowd(_ name: String, _ make: @escaping () -> AnyObject) -> Row {
    let parts = [("make", "ns"), ("memory", "B"), ("release", "ns"), ("after release", "B")]
    return Row("1M \(name)", parts: parts, count: 1_000_000, turns: .few) { count in
      var tools = [AnyObject]()
      tools.reserveCapacity(count)
      let before = allocated_bytes()
      var start = Moment.now
      for _ in 0..<count { tools.append(make()) }
      let making = start.elapsed
      let memory = allocated_bytes() - before
      start = Moment.now
      tools.removeAll(keepingCapacity: true)
      let releasing = start.elapsed
      let rest = allocated_bytes() - before
      return [making, Double(memory), releasing, Double(rest)].map { $0 / Double(count) }
    }
  }

  /// How long the longest call takes while a million timers fall due at once.
  private static var pause: Row {
    Row("longest call while 1M fire", unit: "ms", count: 1_000_000, turns: .few) { count in
      let gate = Gate(count)
      let instant = DispatchClock().now.advanced(by: .microseconds(2 * count))
      let timers = (0..<count).map { _ in
        DispatchTimer.scheduled(after: DispatchClock().now.duration(to: instant)) { gate.arrive() }
      }
      let other = DispatchTimer(every: .seconds(86_400)) { _ in }
      let work = Task.detached {
        var longest = 0.0
        while !Task.isCancelled {
          let start = Moment.now
          other.start()
          other.suspend()
          longest = max(longest, start.elapsed)
        }
        return longest / 1_000_000
      }
      await gate.wait()
      work.cancel()
      withExtendedLifetime(timers) {}
      return await work.value
    }
  }

  private static var waiters: Row {
    let parts = [("processors", "ns CPU each"), ("lateness of the last", "ms")]
    return Row("100k waiting acquires", parts: parts, count: 100_000, turns: .few) { count in
      let bucket = TokenBucket(rate: .perSecond(100_000), burst: 1, initial: 0)
      let gate = Gate(count)
      let (processors, start) = (Moment.processorTime, Moment.now)
      for _ in 0..<count {
        Task {
          try await bucket.acquire()
          gate.arrive()
        }
      }
      await gate.wait()
      let lateness = start.elapsed / 1_000_000 - Double(count) / 100
      return [Moment.processorTime.since(processors) / Double(count), lateness]
    }
  }

  /// The time of one decision where two threads ask for it without a pause.
  private static var contention: Row {
    let bucket = TokenBucket(rate: .perSecond(1_000_000_000), burst: 1_000_000_000)
    return Row(
      "TokenBucket.tryAcquire, 2 threads", unit: "ns", count: 20_000, turns: .fastestOfMany
    ) { count in
      let start = Moment.now
      DispatchQueue.concurrentPerform(iterations: 2) { _ in
        for _ in 0..<count { consume(bucket.tryAcquire()) }
      }
      return start.elapsed / Double(2 * count)
    }
  }

  /// What is left in memory of sleeps that were cancelled.
  private static func sleeps(
    _ name: String, _ sleep: @escaping @Sendable () async -> Void
  ) -> Row {
    Row("cancelled \(name), memory", unit: "B", count: 50_000, turns: .few) { count in
      let before = allocated_bytes()
      for _ in 0..<count {
        let task = Task { await sleep() }
        // So that most of them have begun to sleep.
        await Task.yield()
        task.cancel()
        await task.value
      }
      return Double(allocated_bytes() - before) / Double(count)
    }
  }
}
