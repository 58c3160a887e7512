import Pacing
import PacingTesting
import Synchronization
import TestSupport
import Testing

@Suite("RetryPolicy.attempts()")
struct AttemptsTests {
  let clock = ManualClock()

  func policy(_ reasons: RetryTests.Ends = .init(), maximumDuration: Duration? = nil) -> RetryPolicy
  {
    RetryPolicy(
      backoff: .exponential(from: .milliseconds(100)), maximumAttempts: 3,
      maximumDuration: maximumDuration,
      onGiveUp: { reasons.append($0) })
  }

  @Test("spaces its attempts by the backoff, counted from each call, and ends with the policy")
  func spacing() async {
    let ends = RetryTests.Ends()
    var attempts = policy(ends).attempts(clock: clock).makeAsyncIterator()
    #expect(await attempts.next() == Attempt(number: 1, delay: .zero))
    #expect(clock.pendingCount == 0)
    clock.advance(by: .milliseconds(1000))
    for (number, delay) in [(2, 100), (3, 200)] {
      async let moved: Void = {
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .milliseconds(delay - 1))
        #expect(clock.pendingCount == 1)
        clock.advance(by: .milliseconds(1))
      }()
      #expect(await attempts.next() == Attempt(number: number, delay: .milliseconds(delay)))
      await moved
    }
    #expect(await attempts.next() == nil)
    #expect(await attempts.next() == nil)
    #expect(ends.all.map(\.reason) == [.exhausted])
    #expect(clock.now == PacingInstant(nanoseconds: 1_300_000_000))
  }

  @Test("its time begins with the first attempt, and ends without a wait in vain")
  func deadline() async {
    let ends = RetryTests.Ends()
    let stream = policy(ends, maximumDuration: .milliseconds(500)).attempts(clock: clock)
    clock.advance(by: .seconds(10))
    var attempts = stream.makeAsyncIterator()
    #expect(await attempts.next() != nil)
    clock.advance(by: .milliseconds(400))
    #expect(await attempts.next() == nil)
    #expect(ends.all.map(\.reason) == [.deadline])
  }

  @Test("ends at once with its task, and holds no timer then")
  func cancellation() async {
    let ends = RetryTests.Ends()
    let policy = policy(ends)
    let task = Task {
      var made = 0
      for await _ in policy.attempts(clock: clock) { made += 1 }
      return made
    }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    #expect(await task.value == 1)
    #expect(clock.pendingCount == 0)
    #expect(ends.all.map(\.reason) == [.cancelled])
    #expect(ends.all.first?.attempts == 1)
  }

  @Test("each call is a run of its own")
  func runs() async {
    let policy = policy()
    for _ in 0..<2 {
      var attempts = policy.attempts(clock: clock).makeAsyncIterator()
      #expect(await attempts.next()?.number == 1)
    }
  }

  @Test("takes from the policy's budget, ends with its backoff, and tells its hooks")
  func budgetAndBackoff() async {
    let ends = RetryTests.Ends()
    let trace = EventRecorder<String>()
    let budget = RetryBudget.quota(7, cost: 5)
    let policy = RetryPolicy(
      backoff: .none.limited(to: 5), maximumAttempts: nil, onGiveUp: { ends.append($0) }
    )
    .beforeAttempt { trace.record("before \($0.number)") }
    .afterAttempt { trace.record("after \($0.attempt.number), next \($0.next?.number ?? 0)") }
    for await _ in policy.sharing(budget).attempts(clock: clock) {}
    #expect(ends.all.map(\.reason) == [.budget])
    #expect(
      trace.values == [
        "before 1", "after 1, next 2", "before 2", "after 2, next 0",
      ])
    var count = 0
    for await _ in policy.attempts(clock: clock) { count += 1 }
    #expect(count == 6)
    #expect(ends.all.map(\.reason) == [.budget, .exhausted])
  }

  @Test("leaving the loop without a word is a success, and gives the budget's share back")
  func leaving() async {
    let budget = RetryBudget.quota(100, cost: 5)
    let policy = RetryPolicy(backoff: .none, maximumAttempts: nil).sharing(budget)
    for _ in 0..<200 {
      for await attempt in policy.attempts(clock: clock) where attempt.number == 2 { break }
    }
    #expect(budget.available == 100)
    #expect(budget.refusedCount == 0)
  }

  @Test("an attempt that says it succeeded ends the loop, and tells the policy once")
  func success() async {
    let budget = RetryBudget.quota(100, cost: 5)
    let reports = EventRecorder<Bool>()
    let policy = RetryPolicy(backoff: .none).sharing(budget)
      .afterAttempt { reports.record($0.isSuccess) }
    var last: Attempt?
    for await attempt in policy.attempts(clock: clock) {
      if attempt.number == 2 { attempt.succeeded() }
      last?.succeeded()
      last = attempt
    }
    last?.succeeded()
    #expect(last?.number == 2)
    #expect(reports.values == [false, true])
    #expect(budget.available == 100)
  }

  @Test("an attempt that says why it failed is followed by the policy's rules for that error")
  func failure() async {
    let ends = RetryTests.Ends()
    let budget = RetryBudget.quota(100, cost: 5)
    let policy = policy(ends).sharing(budget)
    for await attempt in policy.attempts(clock: clock) {
      attempt.failed(PermanentError(RetryScene.Flaky(number: attempt.number)))
    }
    #expect(ends.all.map(\.reason) == [.permanent])
    #expect(ends.all.first?.error as? RetryScene.Flaky == .init(number: 1))
    for await attempt in policy.attempts(clock: clock) {
      attempt.failed()
      break
    }
    #expect(budget.available == 100, "neither a success nor a retry")
  }

  @Test("a loop that its task's cancellation ends is neither a success nor a failure")
  func cancelledLoop() async {
    let budget = RetryBudget.quota(100, cost: 5)
    let policy = RetryPolicy(backoff: .none).sharing(budget)
    let task = Task { [clock] in
      for await attempt in policy.attempts(clock: clock) where attempt.number == 2 {
        withUnsafeCurrentTask { $0?.cancel() }
        break
      }
    }
    await task.value
    #expect(budget.available == 95)
  }

  @Test("a backoff of one's own is called outside every lock")
  func custom() async {
    let slot = Slot<RetryTimer>()
    let timer = RetryTimer(
      backoff: .custom { retry in
        // If the timer's lock were held, neither call would return.
        _ = slot.value?.isPending
        slot.value?.cancel()
        return .milliseconds(retry)
      }, clock: clock)
    slot.put(timer)
    #expect(timer.scheduleNext() == Attempt(number: 1, delay: .milliseconds(1)))
    slot.put(nil)
    var attempts = RetryPolicy(backoff: .custom { _ in .zero }, maximumAttempts: 2)
      .attempts(clock: clock).makeAsyncIterator()
    for number in [1, 2] { #expect(await attempts.next()?.number == number) }
    #expect(await attempts.next() == nil)
  }
}
