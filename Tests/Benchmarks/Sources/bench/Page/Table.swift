/// What a table of the guide shows; what was not measured is left out.
enum Table {
  /// One figure a line.
  case list([String])
  /// The figures of one row a line, by their parts.
  case matrix([String], parts: [String])
  /// What a user asks for first, in plain words, beside what would stand in its place.
  case headlines([Headline])

  /// A question of a user's, the row that answers it, and a peer's.
  struct Headline {
    let question: String
    let row: String
    let peer: (name: String, row: String)
  }

  static let all: [String: Table] = [
    "headlines": .headlines([
      Headline(
        question: "send a value to a debouncer", row: "Debouncer.send",
        peer: ("cancel a task and start another", "Task.sleep cancel + new Task")),
      Headline(
        question: "send a value to a debouncer with keys",
        row: "KeyedDebouncer.send, 1k UInt64 keys",
        peer: ("lodash, without keys", "lodash debounce call")),
      Headline(
        question: "ask a token bucket", row: "TokenBucket.tryAcquire allow",
        peer: ("Guava", "Guava tryAcquire, allowed")),
      Headline(
        question: "ask a limit for one of 100,000 users",
        row: "KeyedRateLimiter.tryAcquire, 100k String keys",
        peer: ("x/time/rate, for one user", "Go x/time/rate Allow, allowed")),
      Headline(
        question: "make, start and cancel a timer", row: "DispatchTimer make + start + cancel",
        peer: ("a Dispatch source", "DispatchSourceTimer make + arm + cancel")),
      Headline(
        question: "set a timer and have it fire, with 1 ms of tolerance",
        row: "schedule + fire DispatchTimer, tolerance 1000 µs",
        peer: ("`Task.sleep`", "schedule + fire Task.sleep")),
      Headline(
        question: "how late a timer's code begins, in the middle",
        row: "lateness DispatchTimer, p50",
        peer: ("`Task.sleep`", "lateness Task.sleep, p50")),
      Headline(
        question: "take a tick that is ready from a stream", row: "ticks() next, element ready",
        peer: ("`AsyncStream.makeStream`", "AsyncStream yield + next")),
      Headline(
        question: "keep a timer pending", row: "1M DispatchTimer, memory",
        peer: ("a Dispatch source", "DispatchSourceTimer pending, memory")),
      Headline(
        question: "remember a user of a limit", row: "1M keys of a KeyedRateLimiter, memory",
        peer: ("a timer in tokio's queue", "tokio DelayQueue pending, memory")),
    ]),
    "limits": .list([
      "clock_gettime", "ContinuousClock.now", "floor: clock read, compare and exchange",
      "floor: clock read, Mutex", "TokenBucket.tryAcquire allow", "TokenBucket.tryAcquire deny",
      "TokenBucket.tryAcquire allow, coarse clock", "TokenBucket.tryAcquire deny, coarse clock",
      "TokenBucket.request deny", "RateLimiter.tryAcquire, two buckets, one cost",
      "RateLimiter.tryAcquire, two buckets, a cost for each", "ConcurrencyLimit.withPermit",
      "Go x/time/rate Allow, allowed", "Go x/time/rate Allow, denied",
      "Guava tryAcquire, allowed", "Guava tryAcquire, denied", "GCRA in Rust, allowed",
      "GCRA in Rust, denied", "GCRA in Rust on the processor's counter, allowed",
      "GCRA in Rust on the processor's counter, denied",
    ]),
    "keys": .list([
      "KeyedRateLimiter.tryAcquire, 100k UInt64 keys", "GCRA in Rust, 100k u64 keys",
      "KeyedRateLimiter.tryAcquire, 100k String keys", "GCRA in Rust, 100k String keys",
      "Go map + x/time/rate Allow, 100k string keys",
      "Guava Cache + RateLimiter, 100k String keys",
    ]),
    "values": .list([
      "Debouncer.send", "Debouncer send + cancel", "Throttler.send",
      "KeyedDebouncer.send, 1k UInt64 keys", "lodash debounce call",
      "lodash throttle call", "DispatchWorkItem cancel + reschedule",
      "Task.sleep cancel + new Task",
      "swift-async-algorithms debounce, element", "OpenCombine debounce send",
      "Debouncer.send, processors", "Throttler.send, processors",
      "DispatchWorkItem cancel + reschedule, processors",
      "Task.sleep cancel + new Task, processors",
    ]),
    "timers": .list([
      "DispatchTimer resume + suspend", "DispatchTimer make + start + cancel",
      "DispatchSourceTimer schedule again", "DispatchSourceTimer make + arm + cancel",
      "Task.sleep + cancel", "NIO scheduleTask + cancel",
      "NIO scheduleCallback + cancel", "Go AfterFunc + Stop",
      "tokio DelayQueue insert + remove", "tokio Sleep poll + drop",
      "withTimeout", "task group with Task.sleep", "DispatchTimer resume + suspend, processors",
      "DispatchSourceTimer make + arm + cancel, processors",
      "ticks() next, element ready", "AsyncStream(unfolding:) next",
      "DispatchTimer fireNow + next", "AsyncStream yield + next",
    ]),
    "memory": .list([
      "DispatchSourceTimer pending, memory", "cancelled DispatchClock.sleep, memory",
      "cancelled Task.sleep, memory", "tokio DelayQueue pending, memory",
      "Go AfterFunc pending, memory", "TokenBucket, memory",
      "a waiter of a TokenBucket, memory", "a key that waits, memory",
    ]),
    "firing": .list([
      "schedule + fire DispatchTimer, tolerance 0 µs",
      "schedule + fire DispatchTimer, tolerance 100 µs",
      "schedule + fire DispatchTimer, tolerance 1000 µs",
      "schedule + fire DispatchSourceTimer", "schedule + fire Task.sleep", "schedule + fire NIO",
      "schedule + fire Go AfterFunc", "schedule + fire tokio Sleep",
    ]),
    "lateness": .matrix(
      [
        "lateness DispatchTimer", "lateness DispatchSourceTimer", "lateness Task.sleep",
        "lateness NIO", "lateness AsyncTimerSequence", "lateness Go AfterFunc",
        "lateness tokio Sleep", "1000 streams DispatchTimer.ticks", "1000 streams Task.sleep",
        "1000 streams AsyncTimerSequence",
      ], parts: ["p50", "p99", "processors"]),
    "growth": .matrix(
      ["timer schedule + cancel", "KeyedRateLimiter.tryAcquire"],
      parts: ["1k", "10k", "100k", "1M", "1M idle"]),
    "crowds": .matrix(
      [
        "1M DispatchTimer", "1M entries of DispatchTimers", "1M Debouncer",
        "1M keys of a KeyedDebouncer", "1M keys of a KeyedRateLimiter",
      ],
      parts: [
        "make", "memory", "longest stretch", "release", "after release", "resident after release",
      ]),
    "shared": .matrix(
      ["SharedRateLimiter.request", "EVALSHA of its script", "INCR", "GET"],
      parts: ["p50", "p99", "server"]),
    "decisions": .list([
      "SharedRateLimiter.request, one task", "SharedRateLimiter.request, 50 tasks",
      "SharedRateLimiter.request, one task with leases",
      "SharedRateLimiter.request from a lease",
    ]),
    "contention": .list([
      "floor: clock read, Mutex, 2 threads", "TokenBucket.tryAcquire allow, 2 threads",
      "Debouncer.send, 2 threads",
      "DispatchTimer resume + suspend, 2 threads", "longest call while 1M fire",
      "100k waiting acquires, burst 1, processors",
      "100k waiting acquires, burst 1, lateness of the last",
      "100k waiting acquires, burst 1000, processors",
      "100k waiting acquires, burst 1000, lateness of the last",
      "floor: 100k suspended tasks, processors",
    ]),
  ]
}
