import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("withTimeout and withDeadline", .eachBeginning)
struct TimeoutTests {
  struct Flaky: Error, Equatable {}

  let clock = ManualClock()

  /// A wait that knows nothing of the deadline, and ends with the task.
  static func endlessWait() async throws {
    await OneShot<Void>().outcome(ifCancelled: ())
    try Task.checkCancellation()
  }

  @Test("returns what the operation returned, and keeps no timer")
  func inTime() async throws {
    // On this thread: a sleep that is parked does not tell that the timeout is set, too.
    let task = clock.run { [clock] in
      try await withTimeout(.seconds(1), clock: clock) {
        try await clock.sleep(for: .milliseconds(999))
        return 7
      }
    }
    #expect(clock.pendingCount == 2)
    clock.advance(by: .milliseconds(999))
    #expect(try await task.value == 7)
    #expect(clock.pendingCount == 0)
  }

  @Test("rethrows what the operation threw")
  func failure() async {
    await #expect(throws: Flaky()) {
      try await withTimeout(.seconds(1), clock: clock) { throw Flaky() }
    }
    #expect(clock.pendingCount == 0)
  }

  /// A clock that is set back by a second at each reading.
  private struct FallingClock: Clock {
    let base = ContinuousClock.now
    let readings = Counter()

    var minimumResolution: Duration { .nanoseconds(1) }
    var now: ContinuousClock.Instant {
      readings.add()
      return base.advanced(by: .seconds(-readings.value))
    }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
  }

  @Test("does not begin without time, although the clock is set back meanwhile")
  func setBack() async {
    let begun = Counter()
    await #expect(throws: TimeoutError.self) {
      try await withTimeout(.zero, clock: FallingClock()) { begun.add() }
    }
    #expect(begun.value == 0)
  }

  @Test("cancels an operation that takes too long, and says so")
  func cutOff() async {
    let seen = Slot<Bool>()
    let task = clock.run { [clock] in
      try await withTimeout(.seconds(1), clock: clock) {
        defer { seen.put(Task.isCancelled) }
        try await Self.endlessWait()
      }
    }
    clock.advance(by: .milliseconds(999))
    #expect(seen.value == nil)
    clock.advance(by: .milliseconds(1))
    await #expect(throws: TimeoutError(limit: .seconds(1))) { try await task.value }
    #expect(seen.value == true)
    #expect(clock.pendingCount == 0)
  }

  @Test("the timer's thread cancels no operation: its cancellation handlers are the user's")
  func cancellationPlace() async {
    let (cancelled, gate) = (Counter(), CountDown(1))
    let task = clock.run { [clock] in
      try await withTimeout(.seconds(1), clock: clock) {
        await withTaskCancellationHandler {
          await gate.wait()
        } onCancel: {
          cancelled.add()
          gate.arrive()
        }
      }
    }
    clock.lapse(by: .seconds(1))
    #expect(clock.service.fireNext(dueAt: clock.now))
    #expect(cancelled.value == 0)
    clock.runReady()
    #expect(cancelled.value == 1)
    await #expect(throws: TimeoutError(limit: .seconds(1))) {
      clock.runReady()
      return try await task.value
    }
  }

  @Test("an operation that ignores cancellation is waited for, and is too late all the same")
  func ignored() async {
    let (begun, gate) = (CountDown(1), CountDown(1))
    let task = Task {
      try await withTimeout(.seconds(1), clock: clock) {
        begun.arrive()
        await gate.wait()
        return 7
      }
    }
    await begun.wait()
    clock.advance(by: .seconds(2))
    #expect(clock.pendingCount == 0)
    gate.arrive()
    await #expect(throws: TimeoutError(limit: .seconds(1))) { try await task.value }
  }

  @Test("an operation that ends exactly when the time is over is too late, as is one after it")
  func atTheDeadline() async {
    for late in [0, 5] {
      let task = Task {
        try await withTimeout(.seconds(1), clock: clock) {
          // Like an operation that does not wait for this clock's timers.
          clock.lapse(by: .milliseconds(1000 + late))
          return 7
        }
      }
      await #expect(throws: TimeoutError.self) { try await task.value }
      #expect(clock.pendingCount == 0)
    }
  }

  @Test("the timer and the operation's own sleep at one instant: too late, in either order")
  func together() async {
    let task = Task {
      try await withTimeout(.seconds(1), clock: clock) {
        try await clock.service.sleep(until: .at(1000))
      }
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await #expect(throws: TimeoutError.self) { try await task.value }
  }

  @Test("a caller that is cancelled cancels the operation, and that is what is thrown")
  func cancelled() async {
    let task = clock.run { [clock] in
      try await withTimeout(.seconds(1), clock: clock) { try await Self.endlessWait() }
    }
    task.cancel()
    clock.runReady()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.pendingCount == 0)
  }

  @Test("a cancelled caller wins over the timeout, whichever came first", arguments: [false, true])
  func cancelledAndLate(timerFirst: Bool) async {
    let (begun, gate) = (CountDown(1), CountDown(1))
    let task = Task {
      try await withTimeout(.seconds(1), clock: clock) {
        begun.arrive()
        await gate.wait()
      }
    }
    await begun.wait()
    if timerFirst { clock.advance(by: .seconds(1)) }
    task.cancel()
    clock.advance(by: .seconds(1))
    gate.arrive()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("in a cancelled task the operation still runs, and sees it")
  func cancelledBefore() async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await withTimeout(.seconds(1), clock: clock) { Task.isCancelled }
    }
    #expect(try await task.value)
  }

  @Test("without any time the operation is not begun", arguments: [0, -1])
  func noTime(seconds: Int) async {
    await #expect(throws: TimeoutError(limit: .seconds(seconds))) {
      try await withTimeout(.seconds(seconds), clock: clock) { Issue.record("begun") }
    }
  }

  @Test("several operations share a deadline")
  func deadline() async throws {
    let deadline = clock.now.advanced(by: .seconds(3))
    let task = Task {
      for _ in 0..<2 {
        try await withDeadline(deadline, clock: clock) { try await clock.sleep(for: .seconds(2)) }
      }
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(2))
    await #expect(throws: TimeoutError(limit: .seconds(1))) { try await task.value }
    #expect(clock.now == .at(2000), "the second could not end in time")
  }

  @Test("inside advance where its caller is, and an actor's too")
  func inAdvance() {
    actor Service {
      func ask(_ clock: ManualClock, _ seconds: Int) async throws -> Int {
        try await withTimeout(.seconds(3), clock: clock) {
          try await clock.service.sleep(until: clock.now.advanced(by: .seconds(seconds)))
          return seconds
        }
      }
    }
    let (service, answers) = (Service(), EventRecorder<Int>(clock: clock))
    clock.run { [clock] in
      for seconds in [2, 4] { answers.record((try? await service.ask(clock, seconds)) ?? -1) }
      let policy = RetryPolicy(
        backoff: .constant(.seconds(1)), maximumAttempts: 3, attemptTimeout: .seconds(2))
      let number = try? await retry(policy, clock: clock) { attempt in
        try await clock.service.sleep(
          until: clock.now.advanced(by: .seconds(4 - attempt.number)))
        return attempt.number
      }
      answers.record(number ?? -1)
    }
    // In a cancelled task the operation still runs, and observes the cancellation.
    clock.run { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      let isCancelled = try await withTimeout(.seconds(1), clock: clock) { Task.isCancelled }
      #expect(isCancelled)
    }
    clock.advance(by: .seconds(60))
    #expect(answers.values == [2, -1, 3])
    #expect(answers.entries.map(\.instant) == [.at(2000), .at(5000), .at(12_000)])
  }

  /// Not Sendable, and not thread-safe.
  final class Page { var loads = 0 }

  @Test("runs on the caller's actor, and nothing needs to be Sendable")
  @MainActor func isolation() async throws {
    let page = Page()
    let same = try await withTimeout(.seconds(1), clock: clock) {
      MainActor.assertIsolated()
      page.loads += 1
      await Task.yield()
      MainActor.assertIsolated()
      return page
    }
    #expect(same === page)
    #expect(page.loads == 1)
  }

  actor Loader {
    var page = Page()
    func load(_ clock: ManualClock) async throws -> Int {
      try await withTimeout(.seconds(1), clock: clock) {
        assertIsolated()
        page.loads += 1
      }
      return page.loads
    }
  }

  @Test("runs on an actor of the caller's, and with the caller's task-local values")
  func actorIsolation() async throws {
    #expect(try await Loader().load(clock) == 1)
    try await Self.$name.withValue("here") {
      let name = try await withTimeout(.seconds(1), clock: clock) { Self.name }
      #expect(name == "here")
    }
  }

  @TaskLocal static var name = ""
}
