import Pacing
import PacingTesting
import Testing

@testable import PacingRedis

@Suite("SharedRateLimiter: waits")
struct AcquireTests {
  /// A clock whose tasks begin at once or, as on systems without `Task.immediate`, a step later.
  private func clock(beginningAtOnce: Bool) -> ManualClock {
    ManualTime.$beginsTasksAtOnce.withValue(beginningAtOnce) { ManualClock() }
  }

  @Test("waits behind those of other processes, with one call each", arguments: [true, false])
  func turns(beginningAtOnce: Bool) async throws {
    let clock = clock(beginningAtOnce: beginningAtOnce)
    let server = ScriptedServer(clock)
    let limiters = (0..<2).map { _ in
      SharedRateLimiter(server.store(), rate: .perSecond(10), burst: 1)
    }
    try await limiters[0].acquire(for: "a")
    var tasks = [Task<PacingInstant, any Error>]()
    for index in 0..<6 {
      tasks.append(
        clock.run {
          try await limiters[index % 2].acquire(for: "a")
          return clock.now
        })
    }
    #expect(server.calls.count == 7)
    for index in 0..<6 {
      clock.advance(by: .milliseconds(100))
      let instant = try await tasks[index].value
      #expect(instant.nanoseconds == Int64(index + 1) * 100_000_000)
    }
  }

  @Test(
    "refuses at once what comes too late, and grants what comes in time", arguments: [true, false])
  func deadlines(beginningAtOnce: Bool) async throws {
    let clock = clock(beginningAtOnce: beginningAtOnce)
    let server = ScriptedServer(clock)
    let limiter = SharedRateLimiter(server.store(), burst: 1)
    try await limiter.acquire(for: "a", within: .zero)
    let error = await #expect(throws: AcquireError.self) {
      try await limiter.acquire(for: "a", within: .milliseconds(100) - .microseconds(1))
    }
    #expect(error == .deadline(neededWait: .milliseconds(100)))
    let exact = clock.run { try await limiter.acquire(for: "a", within: .milliseconds(100)) }
    clock.advance(by: .milliseconds(100))
    try await exact.value
    let never = await #expect(throws: AcquireError.self) { try await limiter.acquire(2, for: "a") }
    #expect(never == .exceedsBurst(cost: 2, burst: 1))
    try await limiter.acquire(0, for: "a", within: .zero)
    #expect(limiter.statistics.granted == 3 && limiter.statistics.refused == 2)
  }

  @Test("a deadline in force refuses at once what comes too late, and charges nothing")
  func deadlineInForce() async throws {
    let clock = ManualClock()
    let limiter = SharedRateLimiter(ScriptedServer(clock).store(), burst: 1)
    try await limiter.acquire(for: "a")
    for milliseconds in [50, 100] {
      await #expect(throws: AcquireError.deadline(neededWait: .milliseconds(100))) {
        try await withTimeout(.milliseconds(milliseconds), clock: clock) {
          try await limiter.acquire(for: "a")
        }
      }
    }
    #expect(await limiter.peek(for: "a").retryAfter == .milliseconds(100))
    #expect(limiter.statistics.granted == 1 && limiter.statistics.refused == 2)
  }

  @Test("no timeout is too short or too long")
  func extremes() async throws {
    let clock = ManualClock()
    let limiter = SharedRateLimiter(ScriptedServer(clock).store(), burst: 1)
    for timeout in [Duration(attoseconds: .min), Duration(attoseconds: .max)] {
      try await limiter.acquire(for: "\(timeout)", within: timeout)
    }
  }

  @Test("a wait that is cancelled gives nothing back")
  func cancellation() async throws {
    let clock = ManualClock()
    let limiter = SharedRateLimiter(.inMemory(clock: clock), burst: 1)
    try await limiter.acquire(for: "a")
    let task = Task { try await limiter.acquire(for: "a") }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await limiter.peek(for: "a").retryAfter == .milliseconds(200))
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await limiter.acquire(for: "a")
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(await limiter.peek(for: "a").retryAfter == .milliseconds(200), "nothing was reserved")
  }

  @Test("callers that wait for a local share stand in line, and none waits in vain")
  func localQueue() async throws {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    server.behaviour = .fails("down")
    let limiter = SharedRateLimiter(server.store(), onFailure: .localShare(of: 5))
    try await limiter.acquire(for: "a")
    let first = clock.run { try await limiter.acquire(for: "a", within: .milliseconds(600)) }
    await #expect(throws: AcquireError.deadline(neededWait: .seconds(1))) {
      try await limiter.acquire(for: "a", within: .milliseconds(600))
    }
    #expect(await !limiter.tryAcquire(for: "a"))
    clock.advance(by: .milliseconds(500))
    try await first.value
  }

  @Test("the time that the store took counts towards the timeout of a wait for the local share")
  func timeoutCountsFromTheCall() async throws {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    server.behaviour = .fails("down")
    let limiter = SharedRateLimiter(
      server.store(StorePolicy(failureCount: 10)), onFailure: .localShare(of: 1), burst: 1)
    try await limiter.acquire(for: "a")
    server.behaviour = .holds
    let late = clock.run { try await limiter.acquire(for: "a", within: .milliseconds(99)) }
    clock.advance(by: .milliseconds(50))
    await #expect(throws: AcquireError.deadline(neededWait: .milliseconds(50))) {
      try await late.value
    }
    server.release()
  }

  @Test("while the store is away, each policy does what it says")
  func failures() async throws {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    server.behaviour = .fails("connection refused")
    try await SharedRateLimiter(server.store(), onFailure: .allow).acquire(3, for: "a")
    let error = await #expect(throws: StoreError.self) {
      try await SharedRateLimiter(server.store(), onFailure: .deny).acquire(for: "a")
    }
    #expect(error?.reason == "connection refused")
    let local = SharedRateLimiter(server.store(), onFailure: .localShare(of: 5))
    try await local.acquire(for: "a")
    await #expect(throws: AcquireError.deadline(neededWait: .milliseconds(500))) {
      try await local.acquire(for: "a", within: .milliseconds(499))
    }
    await #expect(throws: AcquireError.exceedsBurst(cost: 2, burst: 1)) {
      try await local.acquire(2, for: "a")
    }
    let waiting = clock.run { try await local.acquire(for: "a") }
    clock.advance(by: .milliseconds(500))
    try await waiting.value
    #expect(local.statistics.byFailurePolicy == 4)
  }

  /// A limiter whose bucket is empty, and whose store takes 40 ms from now on.
  private func emptied(_ server: ScriptedServer) async -> SharedRateLimiter<String> {
    let limiter = SharedRateLimiter(
      server.store(StorePolicy(timeout: .seconds(1))), burst: 1)
    #expect(await limiter.tryAcquire(for: "a"))
    server.behaviour = .holds
    return limiter
  }

  /// Lets the call that is held be answered 40 ms later.
  private func answer(_ server: ScriptedServer) {
    server.clock.advance(by: .milliseconds(40))
    server.release()
    server.clock.runReady()
  }

  @Test("the time that the store takes counts towards the timeout", arguments: [100, 139, 140])
  func answerCounts(milliseconds: Int) async throws {
    let server = ScriptedServer(ManualClock())
    let limiter = await emptied(server)
    let start = server.clock.now
    let task = server.clock.run {
      try await limiter.acquire(for: "a", within: .milliseconds(milliseconds))
      return start.duration(to: server.clock.now)
    }
    answer(server)
    server.clock.advance(by: .milliseconds(100))
    if milliseconds < 140 {
      await #expect(throws: AcquireError.deadline(neededWait: .milliseconds(140))) {
        try await task.value
      }
      #expect(limiter.statistics.granted == 1 && limiter.statistics.refused == 1)
    } else {
      #expect(try await task.value == .milliseconds(140))
    }
  }

  @Test("what the store grants without a wait is granted, however short the timeout")
  func grantedLate() async throws {
    let server = ScriptedServer(ManualClock())
    let limiter = await emptied(server)
    server.clock.advance(by: .milliseconds(100))
    let granted = server.clock.run { try await limiter.acquire(for: "a", within: .zero) }
    answer(server)
    try await granted.value
  }

  @Test("of callers that a slow store answers too late, only the first costs a token")
  func reckonsWithTheStore() async throws {
    let server = ScriptedServer(ManualClock())
    let limiter = await emptied(server)
    for _ in 0..<3 {
      let late = server.clock.run {
        try await limiter.acquire(for: "a", within: .milliseconds(130))
      }
      answer(server)
      late.cancel()
      await #expect(throws: AcquireError.self) { try await late.value }
    }
    #expect(server.calls.last?.arguments[1] == "90000")
    // In 120 ms, of two tokens 1.2 have come back: that of the first caller is lost.
    let look = server.clock.run { await limiter.peek(for: "a") }
    answer(server)
    #expect(await look.value.retryAfter == .milliseconds(80))
  }
}
