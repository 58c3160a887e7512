extension Goal {
  static let all = [
    Goal(name: "tryAcquire allow", row: "TokenBucket.tryAcquire allow", bound: .clockReads(1.3)),
    Goal(name: "tryAcquire deny", row: "TokenBucket.tryAcquire deny", bound: .clockReads(1.3)),
    Goal(name: "Debouncer.send", row: "Debouncer.send", bound: .clockReads(1.3)),
    Goal(name: "Throttler.send", row: "Throttler.send", bound: .clockReads(1.3)),
    Goal(
      name: "Debouncer.send beside cancel and reschedule", row: "Debouncer.send",
      bound: .share(0.05, of: "DispatchWorkItem cancel + reschedule")),
    Goal(
      name: "timer schedule + cancel", row: "DispatchTimer resume + suspend",
      bound: .clockReads(2.2)),
    Goal(
      name: "timer schedule + cancel beside DispatchSourceTimer",
      row: "DispatchTimer resume + suspend",
      bound: .share(0.05, of: "DispatchSourceTimer make + arm + cancel")),
    Goal(
      name: "stream element ready", row: "ticks() next, element ready", bound: .figure(500, "ns")),
    Goal(
      name: "allocations of tryAcquire", row: "TokenBucket.tryAcquire allow, allocations",
      bound: .figure(0.01, "blocks")),
    Goal(
      name: "allocations of Debouncer.send", row: "Debouncer.send, allocations",
      bound: .figure(0.01, "blocks")),
    Goal(
      name: "allocations of Throttler.send", row: "Throttler.send, allocations",
      bound: .figure(0.01, "blocks")),
    Goal(
      name: "allocations of timer schedule + cancel",
      row: "DispatchTimer resume + suspend, allocations", bound: .figure(0.01, "blocks")),
    Goal(
      name: "memory of a pending timer after release",
      row: "DispatchTimer pending, memory after release", bound: .figure(40, "B")),
    Goal(
      name: "schedule + fire with 1 ms tolerance",
      row: "schedule + fire DispatchTimer, tolerance 1000 µs", bound: .figure(2_000, "ns CPU")),
    Goal(
      name: "lateness beside DispatchSourceTimer", row: "lateness DispatchTimer, p50",
      bound: .share(1, of: "lateness DispatchSourceTimer, p50")),
    Goal(
      name: "bytes per pending timer", row: "1M DispatchTimer, memory", bound: .figure(40, "B")),
    Goal(
      name: "1M timers are released", row: "1M DispatchTimer, after release",
      bound: .figure(1, "B")),
    Goal(
      name: "1M debouncers are released", row: "1M Debouncer, after release",
      bound: .figure(1, "B")),
    Goal(
      name: "no pause while 1M fire", row: "longest call while 1M fire", bound: .figure(5, "ms")),
    Goal(
      name: "no collapse of 2 threads", row: "TokenBucket.tryAcquire, 2 threads",
      bound: .share(3, of: "TokenBucket.tryAcquire allow")),
    Goal(
      name: "cancelled sleeps are released", row: "cancelled DispatchClock.sleep, memory",
      bound: .figure(1, "B")),
  ]
}

extension Ratio {
  static let all = [
    Ratio(ours: "Debouncer.send", peer: "DispatchWorkItem cancel + reschedule"),
    Ratio(ours: "Debouncer.send", peer: "Task.sleep cancel + new Task"),
    Ratio(ours: "Debouncer.send", peer: "swift-async-algorithms debounce, element"),
    Ratio(ours: "Debouncer.send", peer: "OpenCombine debounce send"),
    Ratio(
      ours: "DispatchTimer resume + suspend", peer: "DispatchSourceTimer make + arm + cancel"),
    Ratio(
      ours: "DispatchTimer make + start + cancel", peer: "DispatchSourceTimer make + arm + cancel"),
    Ratio(ours: "DispatchTimer resume + suspend", peer: "DispatchSourceTimer schedule again"),
    Ratio(ours: "DispatchTimer make + start + cancel", peer: "NIO scheduleTask + cancel"),
    Ratio(ours: "DispatchTimer make + start + cancel", peer: "Task.sleep + cancel"),
    Ratio(ours: "DispatchTimer fireNow + next", peer: "AsyncStream yield + next"),
    Ratio(ours: "DispatchTimer pending, memory", peer: "DispatchSourceTimer pending, memory"),
  ]
}
