import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("RetryBudget")
struct RetryBudgetTests {
  typealias Flaky = RetryScene.Flaky

  let scene = RetryScene()
  var clock: ManualClock { scene.clock }

  @Test("is taken by retries and given back by successes, up to its capacity")
  func quota() {
    let budget = RetryBudget(capacity: 14, cost: 5)
    #expect(budget.take(nil) == 5)
    #expect(budget.take(9) == 9)
    #expect(budget.available == 0)
    #expect(budget.take(nil) == nil)
    #expect(budget.take(0) == 0)
    budget.giveBack(9)
    #expect(budget.available == 9)
    for _ in 0..<10 { budget.giveBack(1) }
    #expect(budget.available == 14)
  }

  @Test("many who take at the same time never get more than there is")
  func atomic() async {
    let budget = RetryBudget(capacity: 1000, cost: 3)
    let taken = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 where budget.take(nil) != nil { taken.add() }
        }
      }
    }
    #expect(taken.value == 333)
    #expect(budget.available == 1)
  }

  @Test("negative numbers count as zero")
  func negative() {
    let budget = RetryBudget(capacity: -1, cost: -1)
    #expect(budget.available == 0 && budget.take(nil) == 0 && budget.take(1) == nil)
  }

  @Test("a cancelled wait gives its retry back")
  func cancelledWait() async {
    let budget = RetryBudget(capacity: 10, cost: 5)
    let task = Task { [clock, policy = scene.policy().sharing(budget)] in
      try await retry(policy, clock: clock) { _ in throw Flaky() }
    }
    await clock.sleepers(atLeast: 1)
    #expect(budget.available == 5)
    task.cancel()
    _ = await task.result
    #expect(budget.available == 10)
  }

  @Test("a consumer that leaves a retried sequence has succeeded, and gives back what it took")
  func leaving() async throws {
    let budget = RetryBudget(capacity: 10, cost: 5)
    let reports = EventRecorder<AttemptReport>()
    let policy = scene.policy(.none).sharing(budget).afterAttempt { reports.record($0) }
    for _ in 0..<4 {
      let made = Counter()
      let numbers = retrying(policy, clock: clock) { () throws -> AsyncStream<Int> in
        if made.add() == 1 { throw Flaky() }
        return AsyncStream { 7 }
      }
      for try await number in numbers {
        #expect(number == 7)
        #expect(budget.available == 5)
        break
      }
      #expect(budget.available == 10)
    }
    #expect(
      reports.values.map(\.isSuccess) == [false, true, false, true, false, true, false, true])
    #expect(scene.ends.values.isEmpty)
  }

  @Test("leaving in a cancelled task, or before the first attempt, is no success")
  func leavingCancelled() async throws {
    let budget = RetryBudget(capacity: 10, cost: 5)
    _ = budget.take(nil)
    let policy = scene.policy(.none).sharing(budget)
    let task = Task { [clock] in
      let numbers = retrying(policy, clock: clock) { AsyncStream { 7 } }
      _ = numbers.makeAsyncIterator()
      for try await _ in numbers {
        withUnsafeCurrentTask { $0?.cancel() }
        break
      }
    }
    try await task.value
    #expect(budget.available == 5)
  }

  @Test("a healthy attempt gives back what its retry took", arguments: [false, true])
  func healthy(isSequence: Bool) async {
    let budget = RetryBudget(capacity: 20, cost: 5)
    let policy = scene.policy(.constant(.seconds(1))).sharing(budget)
      .resetting(afterHealthy: .seconds(60))
    let made = Counter()
    let connect = { @Sendable [clock] () async throws -> AsyncStream<Int> in
      made.add()
      try await clock.sleep(for: .seconds(400))
      throw Flaky()
    }
    let task = clock.run { [clock] in
      guard isSequence else { return _ = try await retry(policy, clock: clock, connect) }
      for try await _ in retrying(policy, clock: clock, connect) {}
    }
    clock.advance(by: .seconds(401 * 20 + 10))
    #expect(made.value == 21)
    #expect(budget.available == 15)
    #expect(scene.ends.values.isEmpty)
    task.cancel()
  }

  @Test(
    "an attempt that was healthy gives back what its retry took, though its task is cancelled",
    arguments: [false, true])
  func healthyAndCancelled(isSequence: Bool) async {
    for (seconds, left) in [(59, 5), (60, 10)] {
      let budget = RetryBudget(capacity: 10, cost: 5)
      let policy = scene.policy(.none).sharing(budget).resetting(afterHealthy: .seconds(60))
      let made = Counter()
      let connect = { @Sendable [clock] () async throws -> AsyncStream<Int> in
        made.add()
        if made.value == 1 { throw Flaky() }
        if !isSequence { try await clock.sleep(for: .seconds(1000)) }
        return AsyncStream {
          try? await clock.sleep(for: .seconds(1))
          return 1
        }
      }
      let task = clock.run { [clock] in
        guard isSequence else { return _ = try await retry(policy, clock: clock, connect) }
        for try await _ in retrying(policy, clock: clock, connect) {}
      }
      clock.advance(by: .seconds(seconds))
      task.cancel()
      clock.advance(by: .zero)
      _ = await task.result
      #expect(made.value == 2 && budget.available == left)
    }
  }

  @Test("a retry that is cancelled while it waits for its limit is not made")
  func cancelledBeforeItsTurn() async {
    let budget = RetryBudget(capacity: 10, cost: 5)
    let ends = EventRecorder<GiveUp>()
    let bucket = TokenBucket(rate: .every(.seconds(100)), burst: 1, clock: clock)
    let policy = RetryPolicy(backoff: .none, onGiveUp: ends.record).sharing(budget)
      .limited(by: bucket)
    let made = Counter()
    let task = clock.run { [clock] in
      try await retry(policy, clock: clock) { () async throws in
        made.add()
        throw Flaky()
      }
    }
    clock.advance(by: .seconds(1))
    #expect(budget.available == 5)
    task.cancel()
    clock.advance(by: .zero)
    _ = await task.result
    #expect(made.value == 1 && budget.available == 10)
    #expect(ends.values.map(\.reason) == [.cancelled] && ends.values[0].attempts == 1)
  }
}
