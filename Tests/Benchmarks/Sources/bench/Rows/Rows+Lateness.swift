import Dispatch
import Foundation
import Pacing

extension Rows {
  /// How much later than its deadline a timer's code begins, on a machine that does nothing else.
  static var lateness: [Row] {
    let wait = Self.wait
    return [
      late("DispatchTimer") { arrive in
        DispatchTimer.scheduled(after: wait) { arrive() }
      },
      late("DispatchSourceTimer") { arrive in
        let source = DispatchSource.makeTimerSource()
        source.setEventHandler { arrive() }
        source.schedule(deadline: .now() + wait.dispatchInterval)
        source.activate()
        return source as AnyObject
      },
      late("Task.sleep") { arrive in
        Task {
          try await Task.sleep(for: wait)
          arrive()
        }
        return nil
      },
      heldUp(by: 120, blocking: 2_000),
      streams("DispatchTimer.ticks") { count, gate in
        let period = Duration.milliseconds(10)
        for await tick in DispatchTimer.ticks(every: period) {
          gate.arrive(tick.scheduled.duration(to: DispatchClock().now) / .microseconds(1))
          if tick.index + 1 >= count { return }
        }
      },
      streams("Task.sleep") { count, gate in
        let (clock, start) = (ContinuousClock(), ContinuousClock.now)
        for index in 1...count {
          let deadline = start.advanced(by: .milliseconds(10) * index)
          try? await clock.sleep(until: deadline)
          gate.arrive(deadline.duration(to: clock.now) / .microseconds(1))
        }
      },
    ]
  }

  /// How long a timer is set for.
  static let wait = Duration.milliseconds(5)

  /// Some hundreds of timers, one after the other.
  static func late(
    _ name: String, _ make: @escaping (@escaping @Sendable () -> Void) -> AnyObject?
  ) -> Row {
    let parts = Charts.shares.map { ("p\($0)", "µs") }
    return Row("lateness \(name)", parts: parts, count: 300, turns: .few) { count in
      let all = Gate(count)
      for _ in 0..<count {
        let one = Gate(1)
        let start = Moment.now
        let timer = make {
          all.arrive(start.elapsed / 1_000 - wait / .microseconds(1))
          one.arrive()
        }
        await one.wait()
        withExtendedLifetime(timer) {}
      }
      return Charts.shares.map { all.percentile(Double($0) / 100) }
    }
  }

  /// One timer next to many others whose handlers block, and which fire a millisecond before it.
  private static func heldUp(by blocked: Int, blocking microseconds: UInt32) -> Row {
    let name = "lateness DispatchTimer, \(blocked) block \(microseconds) µs"
    let parts = Charts.shares.map { ("p\($0)", "µs") }
    return Row(name, parts: parts, count: 100, turns: .few) { count in
      let lateness = Gate(count)
      for _ in 0..<count {
        let all = Gate(blocked + 1)
        let start = DispatchClock().now.advanced(by: .milliseconds(20))
        let others = (0..<blocked).map { _ in
          DispatchTimer.scheduled(.once(at: start)) { _ in
            usleep(microseconds)
            all.arrive()
          }
        }
        let due = start.advanced(by: .milliseconds(1))
        let timer = DispatchTimer.scheduled(.once(at: due)) { _ in
          lateness.arrive(due.duration(to: DispatchClock().now) / .microseconds(1))
          all.arrive()
        }
        await all.wait()
        withExtendedLifetime((others, timer)) {}
      }
      return Charts.shares.map { lateness.percentile(Double($0) / 100) }
    }
  }

  /// A thousand streams that tick every 10 ms, for a second.
  static func streams(
    _ name: String, _ consume: @escaping @Sendable (Int, Gate) async -> Void
  ) -> Row {
    let parts = [("p50", "µs"), ("p99", "µs"), ("processors", "ns CPU a tick")]
    return Row("1000 streams \(name)", parts: parts, count: 100, turns: .few) { count in
      let gate = Gate(1_000 * count)
      let start = Moment.processorTime
      await withTaskGroup { group in
        for _ in 0..<1_000 { group.addTask { await consume(count, gate) } }
      }
      let cost = Moment.processorTime.since(start) / Double(1_000 * count)
      return [gate.percentile(0.5), gate.percentile(0.99), cost]
    }
  }
}
