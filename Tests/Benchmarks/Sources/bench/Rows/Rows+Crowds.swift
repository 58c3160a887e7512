import CAllocations
import Pacing

extension Rows {
  /// What a million of something takes: time, memory, the longest stretch of work, and what remains
  /// of it.
  static var crowds: [Row] {
    [
      crowd("DispatchTimer") { held($0) { DispatchTimer.scheduled(after: .seconds(86_400)) {} } },
      crowd("entries of DispatchTimers") { count in
        // This clock's queue is empty before, because no other row uses it.
        let clock = DispatchClock.countingSleep
        let timers = (0..<count).map { _ in
          DispatchTimer(.once(after: .seconds(86_400)), clock: clock) { _ in }
        }
        return Crowd {
          precondition(timers[$0].start())
        } release: {
          for timer in timers { timer.cancel() }
        }
      },
      crowd("Debouncer") {
        held($0) {
          let debouncer = Debouncer<Int>(for: .seconds(86_400)) { consume($0) }
          debouncer.send(1)
          return debouncer
        }
      },
      crowd("keys of a KeyedDebouncer") { _ in
        let debouncer = KeyedDebouncer<UInt64, Int>(for: .seconds(86_400)) { consume(($0, $1)) }
        return Crowd {
          debouncer.send($0, for: UInt64($0))
        } release: {
          consume(debouncer.cancel())
        }
      },
      crowd("keys of a KeyedRateLimiter") { count in
        let limiter = KeyedRateLimiter<UInt64>(
          rate: .every(.seconds(86_400)), burst: 1, maximumKeys: 2 * count)
        return Crowd {
          precondition(limiter.tryAcquire(for: UInt64($0)))
        } release: {
          for key in 0..<count { limiter.reset(UInt64(key)) }
        }
      },
      crowd("keys with a window and a bucket") { count in
        let limits: [Limit] = [
          .slidingWindow(100, per: .seconds(86_400)),
          .tokenBucket(rate: .every(.seconds(86_400)), burst: 1),
        ]
        let limiter = KeyedRateLimiter<UInt64>(maximumKeys: 2 * count) { _ in limits }
        return Crowd {
          precondition(limiter.tryAcquire(for: UInt64($0)))
        } release: {
          for key in 0..<count { limiter.reset(UInt64(key)) }
        }
      },
    ]
  }

  /// Something that there can be many of.
  private struct Crowd {
    let add: (Int) -> Void
    let release: () -> Void
  }

  /// Tools of their own, held by an array that is there already.
  private static func held(_ count: Int, _ make: @escaping () -> AnyObject) -> Crowd {
    var tools = [AnyObject?](repeating: nil, count: count)
    return Crowd {
      tools[$0] = make()
    } release: {
      for index in tools.indices { tools[index] = nil }
    }
  }

  private static func crowd(_ name: String, _ make: @escaping (Int) -> Crowd) -> Row {
    let parts = [
      ("make", "ns"), ("memory", "B"), ("longest stretch", "ms CPU"), ("release", "ns"),
      ("after release", "B"), ("resident after release", "B"),
    ]
    return Row("1M \(name)", parts: parts, count: 1_000_000, turns: .few) { count in
      let crowd = make(count)
      let (before, resident) = (allocated_bytes(), resident_bytes_after_trim())
      var start = Moment.now
      var longest = 0.0
      var last = Moment.threadTime
      for index in 0..<count {
        crowd.add(index)
        guard index.isMultiple(of: 16) else { continue }
        let now = Moment.threadTime
        longest = max(longest, now.since(last))
        last = now
      }
      let making = start.elapsed
      let memory = allocated_bytes() - before
      start = Moment.now
      crowd.release()
      let releasing = start.elapsed
      let rest = [allocated_bytes() - before, resident_bytes_after_trim() - resident]
      return [making / Double(count), Double(memory) / Double(count), longest / 1_000_000]
        + [releasing / Double(count)] + rest.map { Double($0) / Double(count) }
    }
  }
}
