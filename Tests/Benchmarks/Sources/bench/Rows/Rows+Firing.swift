import Dispatch
import Pacing

extension Rows {
  /// What it costs the processors to set a timer and have it fire: many of them, evenly over a
  /// second.
  static var firing: [Row] {
    [0, 100, 1_000].map { microseconds in
      fire("DispatchTimer, tolerance \(microseconds) µs") { delay, gate in
        DispatchTimer.scheduled(after: delay, tolerance: .microseconds(microseconds)) {
          gate.arrive()
        }
      }
    } + [
      fire("DispatchSourceTimer") { delay, gate in
        let source = DispatchSource.makeTimerSource()
        source.setEventHandler { gate.arrive() }
        source.schedule(deadline: .now() + delay.dispatchInterval)
        source.activate()
        return source as AnyObject
      },
      fire("Task.sleep") { delay, gate in
        Task {
          try await Task.sleep(for: delay)
          gate.arrive()
        }
        return nil
      },
    ]
  }

  private static func fire(
    _ name: String, _ make: @escaping (Duration, Gate) -> AnyObject?
  ) -> Row {
    Row("schedule + fire \(name)", unit: "ns CPU", count: 100_000, turns: .few) { count in
      let gate = Gate(count)
      var timers = [AnyObject?]()
      timers.reserveCapacity(count)
      let start = Moment.processorTime
      for index in 0..<count { timers.append(make(.microseconds(10 * index), gate)) }
      await gate.wait()
      withExtendedLifetime(timers) {}
      return Moment.processorTime.since(start) / Double(count)
    }
  }
}

extension Duration {
  /// The same span for Dispatch.
  var dispatchInterval: DispatchTimeInterval {
    .nanoseconds(Int(components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000))
  }
}
