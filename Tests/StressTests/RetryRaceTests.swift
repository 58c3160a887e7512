import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

/// Ends from several threads at once, of which exactly one counts.
@Suite("Retrying: races", .alone)
struct RetryRaceTests {
  struct Flaky: Error {}

  @Test("a retry in closures completes or is cancelled, never both, whatever comes when")
  func completion() async {
    let queue = DispatchQueue(label: "answers", attributes: .concurrent)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<400 {
        group.addTask {
          let (completions, ends) = (Counter(), EventRecorder<GiveUp.Reason>())
          let policy = RetryPolicy(
            backoff: .constant(.microseconds(200)).jittered(.full), maximumAttempts: 4,
            attemptTimeout: .microseconds(number + 1), onGiveUp: { ends.record($0.reason) })
          let task = retry(policy) { attempt, finish in
            // Twice, from two threads: the second answer is always ignored.
            for _ in 0..<2 {
              queue.async { finish(attempt.number < 3 ? .failure(Flaky()) : .success(())) }
            }
          } completion: { (_: Result<Void, any Error>) in
            completions.add()
          }
          if number % 3 > 0 { try? await DispatchClock().sleep(for: .microseconds(number)) }
          if number % 4 > 0 { task.cancel() }
          await task.value
          let isComplete = completions.value == 1
          #expect(isComplete || number % 4 > 0 && completions.value == 0, "run \(number)")
          #expect(!isComplete || !ends.values.contains(.cancelled), "run \(number)")
          #expect(ends.values.count <= 1, "run \(number)")
        }
      }
    }
  }

  @Test("a retry that is cancelled while it is judged never completes, wherever the judge is")
  func judged() async {
    let queue = DispatchQueue(label: "cancels")
    for round in Soak.seeds(500) {
      let (completions, isJudged) = (Counter(), Counter())
      let policy = RetryPolicy(
        backoff: .none,
        retryIf: { _ in
          isJudged.add()
          while !Task.isCancelled {}
          return false
        })
      let task = retry(policy) { (_, finish: (Result<Void, any Error>) -> Void) in
        finish(.failure(Flaky()))
      } completion: { _ in
        completions.add()
      }
      // A thread of its own: the judge may hold the only one that tasks have.
      queue.async {
        while isJudged.value == 0 {}
        task.cancel()
      }
      await task.value
      #expect(completions.value == 0, "round \(round)")
    }
  }

  @Test("an operation that ends while its timer fires is in time or too late, and nothing hangs")
  func timeouts() async {
    let (inTime, late) = (Counter(), Counter())
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<400 {
        group.addTask {
          let limit = Duration.microseconds(50 + number % 50)
          let clock = DispatchClock()
          do {
            try await withTimeout(limit) {
              try await clock.service.sleep(
                until: clock.now.advanced(by: limit - .microseconds(2)))
            }
            inTime.add()
          } catch {
            #expect(error is TimeoutError)
            late.add()
          }
        }
      }
    }
    #expect(inTime.value + late.value == 400)
  }

  @Test("retries that are cancelled at random times leave a budget as it was")
  func budgets() async {
    let budget = RetryBudget(capacity: 1000, cost: 7)
    let policy = RetryPolicy(
      backoff: .constant(.microseconds(300)).jittered(.full), maximumAttempts: nil
    ).sharing(budget)
    let spent = Counter()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          let made = Counter()
          let task = Task {
            try await retry(policy) { _ in
              made.add()
              throw Flaky()
            }
          }
          try? await DispatchClock().sleep(for: .microseconds(number * 20))
          task.cancel()
          _ = await task.result
          spent.add(7 * (made.value - 1))
        }
      }
    }
    // A retry that was made keeps its cost; one that was only waited for refunds it.
    #expect(budget.available == 1000 - spent.value)
  }
}
