import CAllocations
import Dispatch
import Pacing

extension Rows {
  /// What does not fit into a cache: how costs grow with what is pending, and how long a call may
  /// have to wait for it.
  static var scale: [Row] {
    sizes.map { growth($0) } + sizes.dropLast().map(sourceGrowth) + [
      growth(1_000_000, areIdle: true)
    ] + sizes.map(keyedGrowth) + [
      pause,
      sleeps("DispatchClock.sleep") { try? await DispatchClock().sleep(for: .seconds(3_600)) },
      sleeps("Task.sleep") { try? await Task.sleep(for: .seconds(3_600)) },
    ]
  }

  private static let sizes = [1_000, 10_000, 100_000, 1_000_000]

  private static func short(_ number: Int) -> String {
    number < 1_000_000 ? "\(number / 1_000)k" : "\(number / 1_000_000)M"
  }

  /// The time of the fastest of some passes.
  private static func fastest(_ pass: () -> Void) -> Double {
    (0..<5).map { _ in
      let start = Moment.now
      pass()
      return start.elapsed
    }.min()!
  }

  /// So many, as far apart in memory as they are: not one that is warm.
  private static func spread(over count: Int) -> [Int] {
    (0..<20_000).map { ($0 &* 7_919) % count }
  }

  /// Timers that are stopped and started again among so many that run or, to tell the queue's part
  /// from that of the timers' own memory, among so many that are idle.
  private static func growth(_ others: Int, areIdle: Bool = false) -> Row {
    Row(
      "timer schedule + cancel, \(short(others))\(areIdle ? " idle" : "")", unit: "ns",
      count: others, turns: .few
    ) { others in
      let timers = (0..<others).map { index in
        DispatchTimer(.once(after: .seconds(3_600) + .microseconds(index))) { _ in }
      }
      let picked = spread(over: others).map { timers[$0] }
      for timer in areIdle ? picked : timers { timer.start() }
      let best = fastest {
        for timer in picked {
          timer.suspend()
          timer.resume()
        }
      }
      withExtendedLifetime(timers) {}
      return best / Double(picked.count)
    }
  }

  /// Sources that are made, armed and cancelled among so many that are armed.
  private static func sourceGrowth(_ others: Int) -> Row {
    Row(
      "DispatchSourceTimer make + arm + cancel, \(short(others))", unit: "ns", count: others,
      turns: .few
    ) { others in
      let queue = DispatchQueue(label: "sources")
      func source(_ index: Int) -> any DispatchSourceTimer {
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler {}
        source.schedule(deadline: .now() + .seconds(86_400) + .microseconds(index))
        source.activate()
        return source
      }
      let sources = (0..<others).map(source)
      let best = fastest {
        for index in 0..<500 { source((index &* 7_919) % others).cancel() }
      }
      for source in sources { source.cancel() }
      return best / 500
    }
  }

  private static func keyedGrowth(_ keys: Int) -> Row {
    Row(
      "KeyedRateLimiter.tryAcquire, \(short(keys))", unit: "ns", count: keys, turns: .few
    ) { keys in
      let limiter = limiter(ofKeys: keys) { UInt64($0) }
      let picked = spread(over: keys).map { UInt64($0) }
      let best = fastest {
        for key in picked { consume(limiter.tryAcquire(for: key)) }
      }
      return best / Double(picked.count)
    }
  }

  /// How long the longest call takes while a million timers fall due at once; one in which the
  /// system took the processor away is left out.
  private static var pause: Row {
    Row("longest call while 1M fire", unit: "ms", count: 1_000_000, turns: .few) { count in
      let gate = Gate(count)
      let instant = DispatchClock().now.advanced(by: .microseconds(2 * count))
      let timers = (0..<count).map { _ in
        DispatchTimer.scheduled(after: DispatchClock().now.duration(to: instant)) { gate.arrive() }
      }
      let other = DispatchTimer(.every(.seconds(86_400))) { _ in }
      let work = Task.detached {
        var longest = 0.0
        while !Task.isCancelled {
          let (start, preemptions) = (Moment.now, preemptions_of_this_thread())
          other.start()
          other.suspend()
          let elapsed = start.elapsed
          if preemptions_of_this_thread() == preemptions { longest = max(longest, elapsed) }
        }
        return longest / 1_000_000
      }
      await gate.wait()
      work.cancel()
      withExtendedLifetime(timers) {}
      return await work.value
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
