import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("retry: wakes that are late", .eachBeginning)
struct LateWakeTests {
  typealias Flaky = RetryScene.Flaky

  let scene = RetryScene()
  var clock: ManualClock { scene.clock }
  let made = EventRecorder<Int>()

  /// A policy with a delay of 100 ms, a deadline of 140 ms and a shared budget.
  func policy(_ budget: RetryBudget, attemptTimeout: Duration? = nil) -> RetryPolicy {
    scene.policy(maximumDuration: .milliseconds(140), attemptTimeout: attemptTimeout)
      .sharing(budget)
  }

  func expectNoSecondAttempt(_ budget: RetryBudget) {
    #expect(made.values == [1])
    #expect(scene.ends.values.map(\.reason) == [.deadline])
    #expect(scene.ends.values.first?.attempts == 1)
    #expect(scene.ends.values.first?.neededDelay == .milliseconds(100))
    #expect(scene.ends.values.first?.error as? Flaky == Flaky(number: 1))
    #expect(budget.available == 10)
    #expect(clock.pendingCount == 0)
  }

  @Test(
    "an async retry that wakes at its deadline, or later, makes no attempt", arguments: [40, 45])
  func async(late: Int) async {
    let budget = RetryBudget(capacity: 10, cost: 5)
    let task = clock.run { [clock, made] in
      try await retry(policy(budget), clock: clock) { attempt in
        made.record(attempt.number)
        throw Flaky(number: attempt.number)
      }
    }
    await clock.sleepers(atLeast: 1)
    clock.lapse(by: .milliseconds(100 + late))
    clock.advance(by: .zero)
    await #expect(throws: Flaky(number: 1)) { try await task.value }
    expectNoSecondAttempt(budget)
    #expect(scene.ends.values.first?.elapsed == .milliseconds(100 + late))
  }

  @Test("with a timeout for each attempt the failure is the operation's own, not a timeout's")
  func attemptTimeout() async {
    let budget = RetryBudget(capacity: 10, cost: 5)
    let task = clock.run { [clock, made] in
      try await retry(policy(budget, attemptTimeout: .seconds(1)), clock: clock) { attempt in
        made.record(attempt.number)
        throw Flaky(number: attempt.number)
      }
    }
    await clock.sleepers(atLeast: 1)
    clock.lapse(by: .milliseconds(145))
    clock.advance(by: .zero)
    await #expect(throws: Flaky(number: 1)) { try await task.value }
    expectNoSecondAttempt(budget)
  }

  @Test(
    "a retry in closures completes with the last failure",
    arguments: [nil, .seconds(1)] as [Duration?])
  func closures(attemptTimeout: Duration?) {
    let budget = RetryBudget(capacity: 10, cost: 5)
    let results = EventRecorder<String>()
    _ = retry(policy(budget, attemptTimeout: attemptTimeout), clock: clock) {
      [made] attempt, finish in
      made.record(attempt.number)
      finish(Result<Int, any Error>.failure(Flaky(number: attempt.number)))
    } completion: { result in
      if case .failure(let error) = result { results.record("\(error)") }
    }
    clock.runReady()
    clock.lapse(by: .milliseconds(145))
    clock.advance(by: .zero)
    #expect(results.values == ["Flaky(number: 1)"])
    expectNoSecondAttempt(budget)
  }

  @Test("a sequence that is retried throws the last failure")
  func sequence() async {
    let budget = RetryBudget(capacity: 10, cost: 5)
    let task = clock.run { [clock, made] in
      let numbers = retrying(policy(budget), clock: clock) { () throws -> AsyncStream<Int> in
        made.record(made.values.count + 1)
        throw Flaky(number: made.values.count)
      }
      for try await _ in numbers {}
    }
    await clock.sleepers(atLeast: 1)
    clock.lapse(by: .milliseconds(145))
    clock.advance(by: .zero)
    await #expect(throws: Flaky(number: 1)) { try await task.value }
    expectNoSecondAttempt(budget)
  }

  @Test("a result that was not accepted is returned")
  func result() async {
    let task = clock.run { [clock] in
      await retry(policy(RetryBudget(capacity: 10)), clock: clock, judging: { _ in .retry }) {
        $0.number
      }
    }
    await clock.sleepers(atLeast: 1)
    clock.lapse(by: .milliseconds(145))
    clock.advance(by: .zero)
    #expect(await task.value == 1)
    #expect(scene.ends.values.map(\.reason) == [.deadline])
  }

  @Test("a late wake that is in time makes its attempt late")
  func inTime() async {
    let task = clock.run { [clock, made] in
      try await retry(policy(RetryBudget(capacity: 10)), clock: clock) { attempt in
        made.record(clock.now.milliseconds)
        if attempt.number == 1 { throw Flaky() }
      }
    }
    await clock.sleepers(atLeast: 1)
    clock.lapse(by: .milliseconds(139))
    clock.advance(by: .zero)
    await #expect(throws: Never.self) { try await task.value }
    #expect(made.values == [0, 139])
  }
}
