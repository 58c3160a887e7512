import Pacing
import PacingTesting
import TestSupport
import Testing

/// Cancellation in each phase of a retry, and what is left behind.
@Suite("retry: cancellation", .eachBeginning)
struct RetryCancellationTests {
  typealias Flaky = RetryScene.Flaky

  let scene = RetryScene()
  var clock: ManualClock { scene.clock }

  func expectEnd(attempts: Int) {
    #expect(clock.pendingCount == 0)
    #expect(scene.ends.values.map(\.reason) == [.cancelled])
    #expect(scene.ends.values.first?.attempts == attempts)
  }

  @Test("during an attempt that notices it")
  func duringAttempt() async {
    let task = Task {
      try await retry(scene.policy(), clock: clock) { _ in try await clock.sleep(for: .seconds(1)) }
    }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    expectEnd(attempts: 1)
  }

  @Test("a CancellationError in a task that is not cancelled is retried", arguments: 1...5)
  func foreign(form: Int) async throws {
    let made = Counter()
    let policy = scene.policy(.none, attempts: 3, attemptTimeout: form == 2 ? .seconds(1) : nil)
    let fail = { @Sendable () throws -> Void in
      if made.add() < 3 { throw CancellationError() }
    }
    switch form {
    case 1, 2:
      try await retry(policy, clock: clock) { try fail() }
    case 3:
      let numbers = retrying(policy, clock: clock) { () throws -> AsyncStream<Int> in
        try fail()
        return AsyncStream { nil }
      }
      for try await _ in numbers {}
    case 4:
      // The operation's own child was cancelled.
      try await retry(policy, clock: clock) {
        let child = Task {
          _ = await OneShot<Void>().outcome(ifCancelled: ())
          try Task.checkCancellation()
        }
        child.cancel()
        if made.add() < 3 { try await child.value }
      }
    default:
      _ = retry(policy, clock: clock) { _, finish in
        finish(Result { try fail() })
      } completion: { _ in
      }
      clock.runReady()
    }
    #expect(made.value == 3)
    #expect(clock.pendingCount == 0 && scene.ends.values.isEmpty)
  }

  @Test("a deadline inside that expired is a failure like others, also as a CancellationError")
  func deadlineInside() async throws {
    let made = Counter()
    let policy = scene.policy(.constant(.seconds(1)), attempts: 3)
    let task = clock.run { [clock] in
      try await retry(policy, clock: clock) {
        do {
          try await withTimeout(.seconds(1), clock: clock) {
            if made.add() < 3 { _ = await OneShot<Void>().outcome(ifCancelled: ()) }
          }
        } catch {
          throw made.value == 1 ? error : CancellationError()
        }
      }
    }
    clock.advance(by: .seconds(10))
    try await task.value
    #expect(made.value == 3 && scene.ends.values.isEmpty)
  }

  @Test("the task's cancellation is not retried, though the operation's deadline expires with it")
  func both() async {
    let made = Counter()
    let task = clock.run { [clock, policy = scene.policy(.none)] in
      try await retry(policy, clock: clock) {
        made.add()
        try await withTimeout(.seconds(1), clock: clock) {
          _ = await OneShot<Void>().outcome(ifCancelled: ())
        }
      }
    }
    clock.lapse(by: .seconds(1))
    task.cancel()
    clock.advance(by: .zero)
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(made.value == 1)
    expectEnd(attempts: 1)
  }

  @Test("during an attempt that turns it into an error of its own: there is no further one")
  func translated() async {
    let task = Task {
      try await retry(scene.policy(), clock: clock) { _ in
        do { try await clock.sleep(for: .seconds(1)) } catch { throw Flaky() }
      }
    }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    expectEnd(attempts: 1)
    #expect(scene.ends.values.first?.error is Flaky)
  }

  @Test("during the last attempt too: it wins over exhaustion")
  func lastAttempt() async {
    let task = Task {
      try await retry(scene.policy(attempts: 1), clock: clock) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        throw Flaky()
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    expectEnd(attempts: 1)
  }

  @Test("an attempt that succeeds in a cancelled task has succeeded")
  func success() async {
    let task = Task {
      await retry(scene.policy(), clock: clock) { attempt in
        withUnsafeCurrentTask { $0?.cancel() }
        return attempt.number
      }
    }
    #expect(await task.value == 1)
    #expect(scene.ends.values.isEmpty)
  }

  @Test("during the backoff")
  func duringBackoff() async {
    let task = Task {
      try await retry(scene.policy(), clock: clock) { _ in throw Flaky() }
    }
    _ = await scene.passWaits(2)
    await clock.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    expectEnd(attempts: 3)
  }

  @Test("at the instant at which the backoff ends, after its timer has fired")
  @MainActor func sameInstant() async {
    let made = Counter()
    let task = Task { @MainActor [clock, scene] in
      try await retry(scene.policy(), clock: clock) { _ in
        made.add()
        throw Flaky()
      }
    }
    await clock.sleepers(atLeast: 1)
    // The task is resumed, but cannot run before this function suspends.
    clock.advance(by: .milliseconds(100))
    #expect(clock.pendingCount == 0)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(made.value == 1)
    expectEnd(attempts: 1)
  }

  @Test("between attempts without a delay")
  func noDelay() async {
    let task = Task {
      try await retry(scene.policy(.none), clock: clock) { attempt in
        if attempt.number == 1000 { withUnsafeCurrentTask { $0?.cancel() } }
        throw Flaky()
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    expectEnd(attempts: 1000)
  }

  @Test("while a result waits for its retry: the error where there can be one, else the result")
  func result() async throws {
    let task = Task {
      await retry(scene.policy(), clock: clock, judging: { _ in .retry }) { $0.number }
    }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    #expect(await task.value == 1)
    let throwing = Task {
      try await retry(scene.policy(), clock: clock, judging: { _ in .retry }) {
        attempt async throws in attempt.number
      }
    }
    await clock.sleepers(atLeast: 1)
    throwing.cancel()
    await #expect(throws: CancellationError.self) { try await throwing.value }
    #expect(clock.pendingCount == 0)
  }

  @Test("during an attempt with a timeout, and during its backoff", arguments: [1, 2])
  func attemptTimeout(place: Int) async {
    let task = clock.run { [scene, clock] in
      try await retry(scene.policy(attemptTimeout: .seconds(1)), clock: clock) { _ in
        if await OneShot<Bool>().outcome(ifCancelled: true) { throw CancellationError() }
      }
    }
    if place == 2 {
      clock.advance(by: .seconds(1))
      await clock.sleepers(atLeast: 1)
      #expect(clock.nextDeadline == .at(1100))
    }
    task.cancel()
    clock.runReady()
    await #expect(throws: CancellationError.self) { try await task.value }
    expectEnd(attempts: 1)
  }
}
