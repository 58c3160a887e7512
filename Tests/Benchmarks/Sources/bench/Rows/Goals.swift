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
