extension Goal {
  static let all = decisions + shared + values + timers + firing + memory + scale

  private static let decisions =
    [
      within(1.55, clockReadsOf: "TokenBucket.tryAcquire allow"),
      within(1.4, clockReadsOf: "TokenBucket.tryAcquire deny"),
      within(0.65, clockReadsOf: "TokenBucket.tryAcquire allow, coarse clock"),
      within(0.47, clockReadsOf: "TokenBucket.tryAcquire deny, coarse clock"),
      within(5, clockReadsOf: "TokenBucket.request deny"),
      within(4, clockReadsOf: "KeyedRateLimiter.tryAcquire, 1k"),
      within(7, clockReadsOf: "KeyedRateLimiter.tryAcquire, 100k UInt64 keys"),
      within(14, clockReadsOf: "KeyedRateLimiter.tryAcquire, 100k String keys"),
      within(
        5_000, "ns CPU each", of: "100k waiting acquires, burst 1000, processors"),
      "RateLimiter.tryAcquire, two buckets, a cost for each"
        .notAbove(2.5, of: "RateLimiter.tryAcquire, two buckets, one cost"),
      within(250, "ns", of: "ConcurrencyLimit.withPermit"),
    ]
    + ["allow", "deny"].flatMap { answer in
      [
        "TokenBucket.tryAcquire \(answer)"
          .notAbove(1, of: "Guava tryAcquire, \(answer == "allow" ? "allowed" : "denied")"),
        "TokenBucket.tryAcquire \(answer)".allocatingNothing,
      ]
    }

  private static let shared = [
    "SharedRateLimiter.request, p50".notAbove(1.5, of: "EVALSHA of its script, p50"),
    "EVALSHA of its script, server".notAbove(3, of: "GET, server"),
    within(150, "ns", of: "SharedRateLimiter.request from a lease"),
  ]

  private static let values =
    [
      ("Debouncer.send", "lodash debounce call"), ("Throttler.send", "lodash throttle call"),
    ].flatMap { tool, lodash in
      [
        within(1.5, clockReadsOf: tool),
        tool.notAbove(1, of: lodash),
        "\(tool), processors"
          .notAbove(0.05, of: "DispatchWorkItem cancel + reschedule, processors"),
        "\(tool), processors".notAbove(0.05, of: "Task.sleep cancel + new Task, processors"),
        tool.allocatingNothing,
      ]
    } + [
      within(8, clockReadsOf: "Debouncer send + cancel"),
      within(7, clockReadsOf: "KeyedDebouncer.send, 1k UInt64 keys"),
    ]

  private static let timers = [
    within(4, clockReadsOf: "DispatchTimer resume + suspend"),
    "DispatchTimer resume + suspend".notAbove(0.55, of: "tokio DelayQueue insert + remove"),
    "DispatchTimer resume + suspend, processors"
      .notAbove(0.05, of: "DispatchSourceTimer make + arm + cancel, processors"),
    "DispatchTimer resume + suspend, 2 threads".notAbove(2, of: "DispatchTimer resume + suspend"),
    "DispatchTimer resume + suspend".allocatingNothing,
    within(20, clockReadsOf: "DispatchTimer make + start + cancel"),
    "DispatchTimer make + start + cancel".notAbove(1, of: "NIO scheduleTask + cancel"),
    "DispatchTimer make + start + cancel".notAbove(1.3, of: "NIO scheduleCallback + cancel"),
    "DispatchTimer make + start + cancel".notAbove(2.5, of: "Go AfterFunc + Stop"),
  ]

  private static let firing = [
    "schedule + fire DispatchTimer, tolerance 1000 µs"
      .notAbove(1.3, of: "schedule + fire tokio Sleep"),
    "schedule + fire DispatchTimer, tolerance 0 µs"
      .notAbove(0.5, of: "schedule + fire DispatchSourceTimer"),
    "lateness DispatchTimer, p50".notAbove(1.05, of: "lateness DispatchSourceTimer, p50"),
    "lateness DispatchTimer, p99".notAbove(1.5, of: "lateness DispatchSourceTimer, p99"),
    "ticks() next, element ready".notAbove(1.1, of: "AsyncStream(unfolding:) next"),
    within(3_000, "ns CPU a tick", of: "1000 streams DispatchTimer.ticks, processors"),
  ]

  private static let memory = [
    within(350, "B", of: "1M DispatchTimer, memory"),
    within(400, "B", of: "1M Debouncer, memory"),
    within(250, "B", of: "1M keys of a KeyedDebouncer, memory"),
    within(25, "B", of: "1M keys of a KeyedRateLimiter, memory"),
    within(600, "B", of: "TokenBucket, memory"),
    within(380, "B", of: "a waiter of a TokenBucket, memory"),
    within(1_100, "B", of: "a key that waits, memory"),
    within(1, "B", of: "cancelled DispatchClock.sleep, memory"),
    "1M DispatchTimer, memory".notAbove(1.25, of: "DispatchTimer pending, memory"),
  ]

  private static let scale =
    [
      "1M DispatchTimer", "1M entries of DispatchTimers", "1M Debouncer",
      "1M keys of a KeyedDebouncer", "1M keys of a KeyedRateLimiter",
    ].flatMap { crowd in
      [
        within(1, "B", of: "\(crowd), after release"),
        within(5, "ms CPU", of: "\(crowd), longest stretch"),
      ]
    } + [
      within(5, "ms", of: "longest call while 1M fire"),
      "timer schedule + cancel, 1M".notAbove(2.5, of: "timer schedule + cancel, 1k"),
    ]
    + ["TokenBucket.tryAcquire allow", "Debouncer.send"].map { row in
      "\(row), 2 threads".notAbove(3, of: "floor: clock read, Mutex, 2 threads")
    }

  private static func within(_ limit: Double, clockReadsOf row: String) -> Goal {
    Goal(row: row, bound: .clockReads(limit))
  }

  private static func within(_ limit: Double, _ unit: String, of row: String) -> Goal {
    Goal(row: row, bound: .figure(limit, unit))
  }
}

extension String {
  /// The goal that the row of this name takes at most this share of a peer's.
  fileprivate func notAbove(_ share: Double, of peer: String) -> Goal {
    Goal(row: self, bound: .share(share, of: peer))
  }

  /// The goal that the row of this name allocates nothing.
  fileprivate var allocatingNothing: Goal {
    Goal(row: "\(self), allocations", bound: .figure(0.01, "blocks"))
  }
}
