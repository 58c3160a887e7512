extension Goal {
  static let all = decisions + values + timers + memory + scale

  private static let decisions = [
    Goal(name: "tryAcquire allow", row: "TokenBucket.tryAcquire allow", bound: .clockReads(1.3)),
    Goal(name: "tryAcquire deny", row: "TokenBucket.tryAcquire deny", bound: .clockReads(1.3)),
    Goal(
      name: "tryAcquire allocates nothing", row: "TokenBucket.tryAcquire allow, allocations",
      bound: .figure(0.01, "blocks")),
    Goal(
      name: "tryAcquire allocates nothing to deny", row: "TokenBucket.tryAcquire deny, allocations",
      bound: .figure(0.01, "blocks")),
  ]

  /// The same for both tools that hold a value back.
  private static let values = [
    ("Debouncer.send", "lodash debounce call"), ("Throttler.send", "lodash throttle call"),
  ].flatMap { tool, lodash in
    [
      Goal(name: tool, row: tool, bound: .clockReads(1.3)),
      Goal(
        name: "\(tool) beside cancel and reschedule", row: "\(tool), processors",
        bound: .share(0.05, of: "DispatchWorkItem cancel + reschedule, processors")),
      Goal(
        name: "\(tool) beside a new Task", row: "\(tool), processors",
        bound: .share(0.05, of: "Task.sleep cancel + new Task, processors")),
      Goal(name: "\(tool) beside lodash", row: tool, bound: .share(0.5, of: lodash)),
      Goal(
        name: "\(tool) allocates nothing", row: "\(tool), allocations",
        bound: .figure(0.01, "blocks")),
    ]
  }

  private static let timers = [
    Goal(
      name: "timer schedule + cancel", row: "DispatchTimer resume + suspend",
      bound: .clockReads(2.2)),
    Goal(
      name: "timer schedule + cancel beside DispatchSourceTimer",
      row: "DispatchTimer resume + suspend, processors",
      bound: .share(0.05, of: "DispatchSourceTimer make + arm + cancel, processors")),
    Goal(
      name: "timer schedule + cancel beside tokio", row: "DispatchTimer resume + suspend",
      bound: .share(0.5, of: "tokio DelayQueue insert + remove")),
    Goal(
      name: "timer schedule + cancel allocates nothing",
      row: "DispatchTimer resume + suspend, allocations", bound: .figure(0.01, "blocks")),
    Goal(
      name: "schedule + fire with 1 ms tolerance",
      row: "schedule + fire DispatchTimer, tolerance 1000 µs", bound: .figure(2_000, "ns CPU")),
    Goal(
      name: "stream element ready", row: "ticks() next, element ready", bound: .figure(500, "ns")),
    Goal(
      name: "lateness beside DispatchSourceTimer", row: "lateness DispatchTimer, p50",
      bound: .share(1, of: "lateness DispatchSourceTimer, p50")),
  ]

  private static let memory = [
    Goal(
      name: "bytes per pending timer, in the queue", row: "1M entries of DispatchTimers, memory",
      bound: .figure(40, "B")),
    Goal(
      name: "bytes per pending timer, with the tool", row: "1M DispatchTimer, memory",
      bound: .figure(40, "B")),
    Goal(
      name: "bytes per key of a limiter", row: "1M keys of a KeyedRateLimiter, memory",
      bound: .figure(32, "B")),
    Goal(
      name: "memory of a limiter's keys after their reset",
      row: "1M keys of a KeyedRateLimiter, after release", bound: .figure(1, "B")),
    Goal(
      name: "cancelled sleeps are released", row: "cancelled DispatchClock.sleep, memory",
      bound: .figure(1, "B")),
  ]

  private static let scale =
    [
      ("timers", "1M DispatchTimer"), ("pending entries", "1M entries of DispatchTimers"),
      ("debouncers", "1M Debouncer"), ("debounced keys", "1M keys of a KeyedDebouncer"),
    ].map { what, row in
      Goal(name: "1M \(what) are released", row: "\(row), after release", bound: .figure(1, "B"))
    }
    + [
      ("timers", "1M DispatchTimer"), ("debouncers", "1M Debouncer"),
      ("debounced keys", "1M keys of a KeyedDebouncer"),
      ("limited keys", "1M keys of a KeyedRateLimiter"),
    ].map { what, row in
      Goal(
        name: "no pause while 1M \(what) are made", row: "\(row), longest stretch",
        bound: .figure(5, "ms CPU"))
    } + [
      Goal(
        name: "no pause while 1M fire", row: "longest call while 1M fire", bound: .figure(5, "ms")),
      Goal(
        name: "memory of 1M timers is linear", row: "1M DispatchTimer, memory",
        bound: .share(1.25, of: "DispatchTimer pending, memory")),
      Goal(
        name: "schedule + cancel with 1M pending", row: "timer schedule + cancel, 1M",
        bound: .share(5, of: "timer schedule + cancel, 1k")),
    ]
    + [
      ("TokenBucket.tryAcquire allow", "clock read, Mutex"),
      ("Debouncer.send", "clock read, Mutex"),
      ("DispatchTimer resume + suspend", "2 clock reads, 4 Mutexes"),
    ].map { row, floor in
      Goal(
        name: "no collapse of 2 threads, \(row)", row: "\(row), 2 threads",
        bound: .share(3, of: "floor: \(floor), 2 threads"))
    }
}

extension Ratio {
  static let all =
    of(
      "Debouncer.send",
      to: [
        "lodash debounce call", "DispatchWorkItem cancel + reschedule",
        "Task.sleep cancel + new Task", "swift-async-algorithms debounce, element",
        "OpenCombine debounce send",
      ])
    + of(
      "Throttler.send", to: ["lodash throttle call", "DispatchWorkItem cancel + reschedule"])
    + of(
      "TokenBucket.tryAcquire allow",
      to: ["Go x/time/rate Allow, allowed", "Guava tryAcquire, allowed"])
    + of(
      "TokenBucket.tryAcquire deny",
      to: ["Go x/time/rate Allow, denied", "Guava tryAcquire, denied"])
    + of(
      "DispatchTimer resume + suspend",
      to: [
        "DispatchSourceTimer schedule again", "DispatchSourceTimer make + arm + cancel",
        "tokio DelayQueue insert + remove",
      ])
    + of(
      "DispatchTimer make + start + cancel",
      to: [
        "DispatchSourceTimer make + arm + cancel", "Task.sleep + cancel",
        "NIO scheduleTask + cancel", "Go AfterFunc + Stop", "tokio Sleep poll + drop",
      ])
    + of("DispatchTimer fireNow + next", to: ["AsyncStream yield + next"])
    + of("DispatchTimer pending, memory", to: ["DispatchSourceTimer pending, memory"])
    + of(
      "schedule + fire DispatchTimer, tolerance 1000 µs",
      to: [
        "schedule + fire DispatchSourceTimer", "schedule + fire Task.sleep",
        "schedule + fire NIO", "schedule + fire Go AfterFunc", "schedule + fire tokio Sleep",
      ])
    + of(
      "lateness DispatchTimer, p50",
      to: [
        "DispatchSourceTimer", "Task.sleep", "NIO", "AsyncTimerSequence", "Go AfterFunc",
        "tokio Sleep",
      ].map { "lateness \($0), p50" })
    + of(
      "1000 streams DispatchTimer.ticks, p99",
      to: ["1000 streams Task.sleep, p99", "1000 streams AsyncTimerSequence, p99"])

  private static func of(_ ours: String, to peers: [String]) -> [Ratio] {
    peers.map { Ratio(ours: ours, peer: $0) }
  }
}
