import Pacing
import PacingTesting
import TestSupport
import Testing

/// Cancellation in each phase of a retry, and what is left behind.
@Suite("retry: cancellation")
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

  @Test("that the operation throws by itself is not retried, in any form", arguments: 1...4)
  func ownCancellation(form: Int) async {
    let made = Counter()
    let policy = scene.policy(.none, attempts: 3)
    await #expect(throws: CancellationError.self) {
      switch form {
      case 1:
        try await retry(policy, clock: clock) {
          made.add()
          throw CancellationError()
        }
      case 2:
        try await retry(policy, attemptTimeout: .seconds(1), clock: clock) {
          made.add()
          throw CancellationError()
        }
      case 3:
        let numbers = retrying(policy, clock: clock) { () throws -> AsyncStream<Int> in
          made.add()
          throw CancellationError()
        }
        for try await _ in numbers {}
      default:
        for await attempt in policy.attempts(clock: clock) {
          made.add()
          attempt.failed(CancellationError())
        }
        throw CancellationError()
      }
    }
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
      try await retry(scene.policy(), clock: clock, judging: { _ throws in .retry }) {
        attempt async throws in attempt.number
      }
    }
    await clock.sleepers(atLeast: 1)
    throwing.cancel()
    await #expect(throws: CancellationError.self) { try await throwing.value }
    #expect(clock.pendingCount == 0)
  }

  @Test("during an attempt with a timeout, and during its backoff", arguments: [1, 2])
  func withTimeout(place: Int) async {
    let task = clock.run { [scene, clock] in
      try await retry(scene.policy(), attemptTimeout: .seconds(1), clock: clock) { _ in
        try await clock.sleep(for: .seconds(10))
      }
    }
    await clock.sleepers(atLeast: 1)
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

  @Test("in a loop over attempts, at the instant at which a wait ends")
  func attempts() async {
    let policy = scene.policy()
    let task = clock.run { [clock] in
      var numbers = [Int]()
      for await attempt in policy.attempts(clock: clock) { numbers.append(attempt.number) }
      return numbers
    }
    // The wait has ended, and the task continues when the clock runs it.
    clock.lapse(by: .milliseconds(100))
    #expect(clock.service.fireNext(dueAt: clock.now) && clock.pendingCount == 0)
    task.cancel()
    clock.runReady()
    #expect(await task.value == [1])
    #expect(clock.pendingCount == 0)
    #expect(scene.ends.values.map(\.reason) == [.cancelled])
  }
}
