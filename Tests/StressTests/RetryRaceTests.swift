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
          let over = CountDown(1)
          // A thread that is deciding when the retry is cancelled tells the hook after `cancel()`.
          let policy = RetryPolicy(
            backoff: .constant(.microseconds(200)).jittered(.full), maximumAttempts: 4,
            attemptTimeout: .microseconds(number + 1),
            onGiveUp: {
              ends.record($0.reason)
              if $0.reason == .cancelled { over.arrive() }
            })
          let handle = retry(policy) { attempt, finish in
            // Twice, from two threads: the second answer is always ignored.
            for _ in 0..<2 {
              queue.async { finish(attempt.number < 3 ? .failure(Flaky()) : .success(())) }
            }
          } completion: { (_: Result<Void, any Error>) in
            completions.add()
            over.arrive()
          }
          let canceller = Task.detached {
            if number % 3 > 0 { try? await DispatchClock().sleep(for: .microseconds(number)) }
            if number % 4 > 0 { handle.cancel() }
          }
          await canceller.value
          await over.wait()
          let isCancelled = ends.values.contains(.cancelled)
          #expect(completions.value == (isCancelled ? 0 : 1), "run \(number)")
          #expect(number % 4 > 0 || !isCancelled, "run \(number)")
          #expect(ends.values.count <= 1, "run \(number)")
          handle.cancel()
          await handle.value
          #expect(completions.value == (isCancelled ? 0 : 1), "run \(number)")
        }
      }
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
