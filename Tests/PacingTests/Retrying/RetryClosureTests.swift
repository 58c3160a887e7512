import Dispatch
import Pacing
import PacingTesting
import Testing

@testable import TestSupport

@Suite("retry with closures", .eachBeginning)
struct RetryClosureTests {
  typealias Flaky = RetryScene.Flaky
  typealias Finish = @Sendable (Result<Int, any Error>) -> Void

  let scene = RetryScene()
  var clock: ManualClock { scene.clock }
  let finishes = EventRecorder<Finish>()
  let results = EventRecorder<String>()

  /// A retry whose attempts are finished by hand.
  func start(_ policy: RetryPolicy) -> Task<Void, Never> {
    retry(policy, clock: clock) { [finishes] _, finish in
      finishes.record(finish)
    } completion: { [results] result in
      switch result {
      case .success(let value): results.record("\(value)")
      case .failure(let error): results.record("\(error)")
      }
    }
  }

  @Test("begins on its place, never on the caller's stack, and completes once")
  func succeeds() {
    _ = start(scene.policy())
    #expect(finishes.values.isEmpty)
    clock.runReady()
    finishes.values[0](.failure(Flaky(number: 1)))
    clock.advance(by: .milliseconds(99))
    #expect(finishes.values.count == 1)
    clock.advance(by: .milliseconds(1))
    finishes.values[1](.success(7))
    #expect(results.values.isEmpty)
    clock.advance(by: .zero)
    #expect(results.values == ["7"])
    #expect(clock.pendingCount == 0)
  }

  @Test("a handle that is kept keeps no closure of a retry that has ended", arguments: 0..<4)
  func released(end: Int) {
    let tally = Tally()
    let clock = clock
    func begin() -> Task<Void, Never> {
      let burden = tally.burden()
      let policy = RetryPolicy(
        backoff: .constant(.milliseconds(100)), onGiveUp: { _ in _ = burden })
      return retry(policy, clock: clock) { [finishes] _, finish in
        _ = burden
        finishes.record(finish)
      } completion: { _ in
        _ = burden
      }
    }
    let handle = begin()
    if end > 0 { clock.runReady() }
    if end > 1 { finishes.values[0](end == 2 ? .success(1) : .failure(Flaky())) }
    clock.runReady()
    if end != 2 {
      #expect(tally.left == 1)
      handle.cancel()
    }
    clock.advance(by: .seconds(1))
    #expect(tally.left == 0)
    handle.cancel()
  }

  @Test("only the first answer of the attempt that runs counts")
  func answers() {
    _ = start(scene.policy())
    clock.runReady()
    finishes.values[0](.failure(Flaky()))
    finishes.values[0](.success(1))
    finishes.values[0](.failure(Flaky()))
    clock.advance(by: .milliseconds(100))
    finishes.values[0](.success(2))
    finishes.values[1](.success(3))
    finishes.values[1](.success(4))
    clock.advance(by: .seconds(1))
    #expect(finishes.values.count == 2)
    #expect(results.values == ["3"])
  }

  @Test("a late answer of an attempt that is over ends no newer one of the same number and delay")
  func staleAnswer() {
    let policy = scene.policy(attemptTimeout: .seconds(2)).resetting(afterHealthy: .seconds(1))
    _ = start(policy)
    clock.runReady()
    for _ in 0..<2 {
      clock.advance(by: .seconds(2))
      clock.advance(by: .milliseconds(100))
    }
    // Attempts 1, 2 and 2 again: each was healthy before it timed out.
    #expect(finishes.values.count == 3)
    finishes.values[1](.success(1))
    clock.runReady()
    #expect(results.values.isEmpty)
    finishes.values[2](.success(2))
    clock.runReady()
    #expect(results.values == ["2"])
  }

  @Test("completes with the last failure, as the policy decides")
  func exhausted() {
    _ = start(scene.policy(attempts: 1))
    clock.runReady()
    finishes.values[0](.failure(PermanentError(Flaky(number: 3))))
    clock.runReady()
    #expect(results.values == ["Flaky(number: 3)"])
    #expect(scene.ends.values.map(\.reason) == [.permanent])
  }

  @Test("a cancelled retry never completes, wherever it is", arguments: 0..<4)
  func cancelled(place: Int) {
    let handle = start(scene.policy())
    if place > 0 { clock.runReady() }
    if place > 1 { finishes.values[0](.failure(Flaky())) }
    if place == 3 { clock.lapse(by: .milliseconds(100)) }
    handle.cancel()
    handle.cancel()
    #expect(clock.pendingCount == 0)
    clock.runReady()
    for finish in finishes.values { finish(.success(1)) }
    clock.advance(by: .seconds(10))
    #expect(results.values.isEmpty)
    #expect(finishes.values.count == min(1, place))
    #expect(scene.ends.values.map(\.reason) == [.cancelled])
    #expect(scene.ends.values[0].attempts == 1)
  }

  @Test("a retry that is cancelled by the hook of an attempt does not call the operation")
  func cancelledBeforeTheAttempt() {
    let handle = Slot<Task<Void, Never>>()
    let policy = scene.policy().beforeAttempt { attempt in
      if attempt.number == 2 { handle.value?.cancel() }
    }
    handle.put(start(policy))
    clock.runReady()
    finishes.values[0](.failure(Flaky()))
    clock.advance(by: .seconds(1))
    #expect(finishes.values.count == 1 && results.values.isEmpty)
    #expect(scene.ends.values.map(\.reason) == [.cancelled])
  }

  @Test("a retry that is cancelled while it is judged never completes")
  func cancelledByPredicate() {
    let handle = Slot<Task<Void, Never>>()
    let policy = scene.policy(retryIf: { _ in
      handle.value?.cancel()
      return false
    })
    handle.put(start(policy))
    clock.runReady()
    finishes.values[0](.failure(Flaky(number: 1)))
    clock.advance(by: .seconds(1))
    #expect(scene.ends.values.map(\.reason) == [.permanent])
    #expect(results.values.isEmpty)
  }

  @Test("the cancellation of a retry that has ended changes nothing")
  func ended() async {
    let handle = start(scene.policy())
    clock.runReady()
    finishes.values[0](.success(1))
    clock.runReady()
    await handle.value
    handle.cancel()
    #expect(results.values == ["1"])
    #expect(scene.ends.values.isEmpty)
  }

  @Test("cancelled from inside its own hooks and attempts, it ends there", arguments: 0..<4)
  func reentrant(place: Int) {
    let handle = Slot<Task<Void, Never>>()
    let attempts = Counter()
    var policy = scene.policy()
    if place == 0 { policy = policy.beforeAttempt { _ in handle.value?.cancel() } }
    if place == 2 { policy = policy.afterAttempt { _ in handle.value?.cancel() } }
    if place == 3 {
      policy = policy.advised { _ in
        handle.value?.cancel()
        return nil
      }
    }
    handle.put(
      retry(policy, clock: clock) { _, finish in
        attempts.add()
        if place == 1 { handle.value?.cancel() }
        finish(Result<Int, any Error>.failure(Flaky()))
      } completion: { [results] _ in
        results.record("completed")
      })
    clock.advance(by: .seconds(10))
    #expect(attempts.value == (place == 0 ? 0 : 1))
    #expect(results.values.isEmpty)
    #expect(scene.ends.values.map(\.reason) == [.cancelled])
    #expect(clock.pendingCount == 0)
  }

  @Test("an attempt that takes too long fails with a timeout, and its late answer is ignored")
  func timeout() {
    _ = start(scene.policy(attempts: 2, attemptTimeout: .seconds(1)))
    clock.runReady()
    clock.advance(by: .seconds(1))
    finishes.values[0](.success(1))
    clock.advance(by: .milliseconds(100))
    #expect(finishes.values.count == 2)
    clock.advance(by: .seconds(1))
    #expect(results.values == ["\(TimeoutError(limit: .seconds(1)))"])
    #expect(clock.pendingCount == 0)
  }

  @Test("an attempt's time is cut to what is left of the deadline")
  func timeLeft() {
    _ = start(scene.policy(maximumDuration: .milliseconds(2500), attemptTimeout: .seconds(2)))
    clock.runReady()
    clock.advance(by: .seconds(2))
    clock.advance(by: .milliseconds(100))
    #expect(clock.nextDeadline == .at(2500))
    clock.advance(by: .milliseconds(400))
    #expect(results.values == ["\(TimeoutError(limit: .milliseconds(400)))"])
    #expect(scene.ends.values.map(\.reason) == [.deadline])
  }

  @Test("lets go of its closures with the last of its handle and its waits")
  func released() {
    let released = Counter()
    do {
      let burden = Burden("operation") { released.add() }
      _ = retry(scene.policy(attempts: 2), clock: clock) { _, finish in
        withExtendedLifetime(burden) { finish(Result<Int, any Error>.failure(Flaky())) }
      } completion: { _ in
      }
    }
    clock.runReady()
    #expect(released.value == 0, "it waits, and holds itself")
    clock.advance(by: .milliseconds(100))
    #expect(released.value == 1)
  }

  @Test("runs on a queue of one's own, and on the main actor")
  @MainActor func places() async {
    let queue = DispatchQueue(label: "retry")
    await withCheckedContinuation { continuation in
      _ = retry(RetryPolicy(backoff: .none), on: .queue(queue)) { attempt, finish in
        dispatchPrecondition(condition: .onQueue(queue))
        finish(attempt.number < 3 ? .failure(Flaky()) : .success(attempt.number))
      } completion: { (result: Result<Int, any Error>) in
        dispatchPrecondition(condition: .onQueue(queue))
        if case .success(3) = result { continuation.resume() }
      }
    }
    var attempts = 0
    await withCheckedContinuation { continuation in
      _ = retry(RetryPolicy(backoff: .none), on: .queue(.main)) { _, finish in
        MainActor.assumeIsolated {
          attempts += 1
          finish(attempts < 2 ? .failure(Flaky()) : .success(()))
        }
      } completion: { (_: Result<Void, any Error>) in
        MainActor.assumeIsolated { attempts += 10 }
        continuation.resume()
      }
    }
    #expect(attempts == 12)
  }

  @Test("a result at the attempt's deadline is too late, also if the timer is later")
  func lateResult() {
    let finishes = EventRecorder<@Sendable (Result<Int, any Error>) -> Void>()
    let results = EventRecorder<String>()
    let policy = RetryPolicy(backoff: .none, maximumAttempts: 1, attemptTimeout: .seconds(1))
    _ = retry(policy, clock: clock) { _, finish in
      finishes.record(finish)
    } completion: { (result: Result<Int, any Error>) in
      results.record((try? result.get()).map { "\($0)" } ?? "failed")
    }
    clock.runReady()
    clock.lapse(by: .seconds(1))
    finishes.values[0](.success(1))
    clock.advance(by: .zero)
    #expect(results.values == ["failed"])
  }

  @Test("the policy's time counts from the beginning of the first attempt, not from the call")
  func timeOfTheFirst() {
    let made = EventRecorder<Int>()
    let policy = RetryPolicy(
      backoff: .constant(.milliseconds(100)), maximumAttempts: nil, maximumDuration: .seconds(1))
    _ = retry(policy, clock: clock) { (attempt, finish: (Result<Int, any Error>) -> Void) in
      made.record(attempt.number)
      finish(attempt.number == 1 ? .failure(TimeoutError(limit: .zero)) : .success(1))
    } completion: { _ in
    }
    // Where it runs, others come first.
    clock.lapse(by: .seconds(1))
    clock.advance(by: .milliseconds(100))
    #expect(made.values == [1, 2])
  }

  @Test("a cancellation while it waits names the failure before")
  func cancelledWhileWaiting() {
    let handle = start(scene.policy())
    clock.runReady()
    finishes.values[0](.failure(Flaky(number: 1)))
    clock.runReady()
    handle.cancel()
    clock.runReady()
    #expect(scene.ends.values.first?.error as? Flaky == Flaky(number: 1))
  }
}
