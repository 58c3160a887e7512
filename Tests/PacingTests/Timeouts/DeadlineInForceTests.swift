import Pacing
import PacingTesting
import TestSupport
import Testing

@testable import Pacing

@Suite("A deadline in force", .eachBeginning)
struct DeadlineInForceTests {
  let clock = ManualClock()

  private func deadline(_ clock: any Clock<Duration>) -> PacingInstant? {
    DeadlineInForce.current(on: clock.service)?.deadline
  }

  @Test("is that of the operation and its children, on its own clock, and ends with the scope")
  func scope() async throws {
    let other = ManualClock()
    #expect(deadline(clock) == nil)
    try await withTimeout(.seconds(5), clock: clock) {
      #expect(deadline(clock) == .at(5000))
      #expect(deadline(other) == nil)
      async let child = deadline(clock)
      #expect(await child == .at(5000))
      let detached = Task.detached { [clock] in DeadlineInForce.current(on: clock.service)?.deadline
      }
      #expect(await detached.value == nil)
    }
    #expect(deadline(clock) == nil)
  }

  @Test("of nested ones, the earlier holds")
  func nested() async throws {
    let other = ManualClock()
    try await withTimeout(.seconds(5), clock: clock) {
      try await withDeadline(.at(9000), clock: clock) { #expect(deadline(clock) == .at(5000)) }
      try await withTimeout(.seconds(7), clock: other) {
        try await withTimeout(.seconds(3), clock: clock) {
          #expect(deadline(clock) == .at(3000) && deadline(other) == .at(7000))
        }
        #expect(deadline(clock) == .at(5000))
      }
    }
  }

  @Test("whether it has passed is decided when the operation ends, not when the caller goes on")
  func lateCaller() async {
    for span in [999, 1000] {
      let clock = ManualClock()
      let scope = DeadlineInForce(.at(1000), limit: .seconds(1), on: clock.service)
      let isLate = await scope.run { clock.lapse(by: .milliseconds(span)) }
      clock.lapse(by: .seconds(5))
      #expect(isLate == (span == 1000) && scope.isOver == isLate)
    }
  }

  @Test("does not bind a task that outlives its scope")
  func outlived() async throws {
    let gate = CountDown(1)
    let task = try await withTimeout(.seconds(5), clock: clock) {
      let task = Task { [clock] in
        let inside = DeadlineInForce.current(on: clock.service)?.deadline
        await gate.wait()
        return (inside, DeadlineInForce.current(on: clock.service)?.deadline)
      }
      await Task.yield()
      return task
    }
    gate.arrive()
    #expect(await task.value.1 == nil)
  }

  @Test("a wait for a limit that outlives the scope is bound by its own timeout only")
  func outlivedWait() async throws {
    let limit = ConcurrencyLimit(1, clock: clock)
    let held = try #require(limit.tryAcquire())
    for timeout in [nil, Duration.seconds(30)] {
      let task = try await withTimeout(.seconds(10), clock: clock) {
        let task = Task { try await limit.acquire(within: timeout) }
        while limit.waitingCount == 0 { await Task.yield() }
        return task
      }
      clock.advance(by: .seconds(10))
      #expect(limit.waitingCount == 1)
      clock.advance(by: .seconds(20))
      #expect(limit.waitingCount == (timeout == nil ? 1 : 0))
      task.cancel()
      let result = await task.result
      if timeout != nil {
        #expect(throws: AcquireError.deadline(neededWait: nil)) { try result.get() }
      }
    }
    held.release()
    #expect(clock.pendingCount == 0 && limit.available == 1)
  }

  @Test("a sleep that could not end before it fails at once", arguments: [999, 1000, 1001])
  func sleeps(milliseconds: Int) async throws {
    let (begun, ended) = (clock.now, EventRecorder<Bool>(clock: clock))
    let task = clock.run { [clock] in
      try await withTimeout(.seconds(1), clock: clock) {
        do {
          try await clock.sleep(for: .milliseconds(milliseconds))
          ended.record(true)
        } catch {
          #expect(error as? TimeoutError == TimeoutError(limit: .seconds(1)))
          ended.record(false)
        }
      }
    }
    clock.advance(by: .seconds(2))
    try await task.value
    #expect(ended.values == [milliseconds < 1000])
    #expect(ended.entries[0].instant == (milliseconds < 1000 ? .at(milliseconds) : begun))
  }

  @Test("a sleep in the past, or on another clock, never reads it")
  func otherSleeps() async throws {
    let other = ManualClock()
    clock.advance(by: .seconds(5))
    let task = clock.run { [clock] in
      try await withTimeout(.seconds(1), clock: clock) {
        try await clock.sleep(until: .at(0))
        try await other.sleep(for: .seconds(3))
      }
    }
    await other.sleepers(atLeast: 1)
    other.advance(by: .seconds(3))
    clock.runReady()
    try await task.value
  }

  @Test("a retry whose wait could not end before it gives up at once, with its last failure")
  func retries() async throws {
    let scene = RetryScene()
    let clock = scene.clock
    let task = clock.run {
      try await withTimeout(.milliseconds(300), clock: clock) {
        try await retry(scene.policy(.constant(.milliseconds(100))), clock: clock) {
          throw RetryScene.Flaky(number: $0.number)
        }
      }
    }
    clock.advance(by: .seconds(1))
    await #expect(throws: RetryScene.Flaky(number: 3)) { try await task.value }
    #expect(scene.ends.values.map(\.reason) == [.deadline])
    #expect(scene.ends.values[0].neededDelay == .milliseconds(100))
    #expect(scene.ends.values[0].elapsed == .milliseconds(200))
  }

  @Test("a wait for a limit that could not end before it is refused at once", arguments: 0..<4)
  func limits(kind: Int) async throws {
    let clock = clock
    let task = clock.run { () async throws -> Void in
      let bucket = TokenBucket(rate: .perSecond(1), burst: 1, clock: clock)
      let limit = ConcurrencyLimit(2, limitedBy: [.fixedWindow(1, per: .seconds(1))], clock: clock)
      let keyed = KeyedRateLimiter<Int>(
        rate: .perSecond(1), burst: 1, maximumKeys: 10, clock: clock)
      try await withTimeout(.seconds(1), clock: clock) {
        for _ in 0..<2 {
          switch kind {
          case 0: try await bucket.acquire()
          case 1: try await bucket.acquire(within: .seconds(9))
          case 2: try await limit.withPermit {}
          default: try await keyed.acquire(for: 7)
          }
        }
      }
    }
    clock.runReady()
    await #expect(throws: AcquireError.deadline(neededWait: .seconds(1))) { try await task.value }
    #expect(clock.pendingCount == 0)
  }

  @Test("a wait for a limit is refused at it if what was ahead did not leave in time")
  func permits() async throws {
    let limit = ConcurrencyLimit(1, clock: clock)
    let held = try #require(limit.tryAcquire())
    let refused = EventRecorder<AcquireError?>(clock: clock)
    let task = clock.run { [clock] in
      try await withTimeout(.seconds(1), clock: clock) {
        do {
          _ = try await limit.acquire()
        } catch {
          refused.record(error as? AcquireError)
        }
      }
    }
    clock.advance(by: .seconds(2))
    try? await task.value
    held.release()
    #expect(refused.values == [.deadline(neededWait: nil)])
    #expect(refused.entries[0].instant == .at(1000) - 1)
  }

  @Test("binds no closure, no stream and no wait that ends before it")
  func unbound() async throws {
    let bucket = TokenBucket(rate: .perSecond(1), burst: 1, initial: 0, clock: clock)
    let granted = Counter()
    let task = clock.run { [clock] in
      try await withTimeout(.milliseconds(1001), clock: clock) {
        try await bucket.acquire()
        #expect(clock.now == .at(1000))
        _ = bucket.acquire { _ in granted.add() }
      }
      try? await withTimeout(.milliseconds(1500), clock: clock) {
        for await _ in bucket.ticks() { granted.add() }
      }
      #expect(clock.now == .at(2500))
    }
    clock.advance(by: .seconds(9))
    try await task.value
    #expect(granted.value == 1)
  }

  @Test("of an attempt with a timeout binds what runs inside")
  func attempts() async {
    let policy = RetryPolicy(backoff: .none, maximumAttempts: 1, attemptTimeout: .seconds(1))
    let begun = clock.now
    await #expect(throws: TimeoutError(limit: .seconds(1))) {
      try await retry(policy, clock: clock) { try await clock.sleep(for: .seconds(1)) }
    }
    #expect(clock.now == begun)
  }

  @Test("an operation that ends without suspending arms no timer; one that suspends does")
  func lazy() async throws {
    // A task that begins a step later has suspended.
    let armed = ManualTime.beginsTasksAtOnce ? 0 : 1
    try await withTimeout(.seconds(1), clock: clock) { #expect(clock.pendingCount <= armed) }
    #expect(clock.pendingCount == 0)
    let task = clock.run { [clock] in
      try await withTimeout(.seconds(1), clock: clock) {
        #expect(clock.pendingCount == armed)
        try await TimeoutTests.endlessWait()
      }
    }
    #expect(clock.pendingCount == 1)
    clock.advance(by: .seconds(1))
    await #expect(throws: TimeoutError.self) { try await task.value }
    #expect(clock.pendingCount == 0)
  }

  @Test("a cancellation that comes before the operation suspends reaches it when it does")
  func cancelledEarly() async {
    let task = clock.run { [clock] in
      try await withTimeout(.seconds(1), clock: clock) {
        withUnsafeCurrentTask { _ in }
        try await TimeoutTests.endlessWait()
      }
    }
    task.cancel()
    clock.runReady()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  struct Token: ~Copyable {
    let number: Int
  }

  @Test("a result may be noncopyable")
  func noncopyable() async throws {
    let token = try await withTimeout(.seconds(1), clock: clock) { Token(number: 7) }
    #expect(token.number == 7)
    let late = try await withDeadline(.at(1000), clock: clock) {
      await Task.yield()
      return Token(number: 8)
    }
    #expect(late.number == 8)
  }
}
