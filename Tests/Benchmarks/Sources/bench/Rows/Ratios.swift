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
      "KeyedRateLimiter.tryAcquire, 100k UInt64 keys", to: ["GCRA in Rust, 100k u64 keys"])
    + of(
      "KeyedRateLimiter.tryAcquire, 100k String keys",
      to: [
        "GCRA in Rust, 100k String keys", "Go map + x/time/rate Allow, 100k string keys",
        "Guava Cache + RateLimiter, 100k String keys",
      ])
    + of("withTimeout", to: ["task group with Task.sleep"])
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
