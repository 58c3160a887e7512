import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("RetryPolicy: advice, hints, budgets, health")
struct RetryPolicyTests {
  typealias Flaky = RetryScene.Flaky

  /// An error that advises on its retry.
  struct Busy: RetryAdvising, Equatable {
    let retryAdvice: RetryAdvice?
    init(_ advice: RetryAdvice?) { retryAdvice = advice }
  }

  let scene = RetryScene()

  /// The delays between attempts of an operation that always fails with the error.
  func delays(_ policy: RetryPolicy, _ error: any Error) -> [Duration] {
    let delays = EventRecorder<Duration>()
    let policy = policy.afterAttempt { if let next = $0.next { delays.record(next.delay) } }
    _ = scene.run(policy) { _ in (.zero, Result<Void, any Error>.failure(error)) }
    return delays.values
  }

  @Test(
    "obeys the server's delay up to its bound, and takes the backoff's step all the same",
    arguments: [
      (nil, 30, [30_000, 30_000, 30_000]), (nil, 3, [3000, 3000, 4000]),
      (nil, 0, [1000, 2000, 4000]), (nil, -7, [1000, 2000, 4000]),
      (nil, 978_307_200, [86_400_000, 86_400_000, 86_400_000]),
      (0, 30, [1000, 2000, 4000]), (3, 30, [3000, 3000, 4000]), (10, 1, [1000, 2000, 4000]),
      (-1, 1, [1000, 2000, 4000]), (100_000, 99_999, [99_999_000, 99_999_000, 99_999_000]),
    ] as [(Int?, Int, [Int])])
  func hints(bound: Int?, seconds: Int, expected: [Int]) {
    let plain = scene.policy(.exponential(from: .seconds(1)), attempts: 4)
    let policy = bound.map { plain.obeyingHints(atMost: .seconds($0)) } ?? plain
    let error = Busy(.retry(after: .seconds(seconds)))
    #expect(delays(policy, error) == expected.map { .milliseconds($0) })
    let end = scene.ends.values[0]
    #expect(end.reason == .exhausted)
    #expect(end.neededDelay == nil)
  }

  @Test("the backoff's cap does not bind a hint, and decorrelated jitter does not learn from it")
  func hintAndCap() {
    let capped = Backoff.constant(.seconds(1)).jittered(.decorrelated).capped(at: .seconds(3))
    let policy = scene.policy(capped, attempts: 9)
    #expect(delays(policy, Busy(.retry(after: .seconds(600)))).allSatisfy { $0 == .seconds(600) })
    let plain = delays(scene.policy(capped, attempts: 9), Busy(.retry(after: .zero)))
    #expect(plain.allSatisfy { $0 <= .seconds(3) })
  }

  @Test("a hint keeps the backoff's position")
  func hintAndBackoff() {
    let delays = EventRecorder<Duration>()
    let policy = scene.policy(.exponential(from: .seconds(1)), attempts: 6)
      .afterAttempt { if let next = $0.next { delays.record(next.delay) } }
    _ = scene.run(policy) { attempt -> (lasts: Duration, Result<Void, any Error>) in
      (.zero, .failure(attempt.number == 3 ? Busy(.retry(after: .seconds(60))) : Flaky()))
    }
    #expect(delays.values == [1, 2, 60, 8, 16].map { .seconds($0) })
  }

  @Test("a hint that the deadline has no room for is not waited for")
  func hintAndDeadline() {
    let policy = scene.policy(maximumDuration: .seconds(10))
    #expect(delays(policy, Busy(.retry(after: .seconds(10)))) == [])
    #expect(scene.ends.values[0].reason == .deadline)
    #expect(scene.ends.values[0].neededDelay == .seconds(10))
  }

  @Test("asks retryIf, then the policy's advice, then the error")
  func order() {
    let none = scene.policy(attempts: 2)
    let advised = none.advised { _ in .retry(after: .seconds(2)) }
    #expect(delays(none, Flaky()) == [.milliseconds(100)])
    #expect(delays(none, Busy(nil)) == [.milliseconds(100)])
    #expect(delays(none, Busy(.retry(after: .seconds(1)))) == [.seconds(1)])
    #expect(delays(advised, Busy(.retry(after: .seconds(1)))) == [.seconds(2)])
    #expect(delays(advised, Flaky()) == [.seconds(2)])
    #expect(delays(advised, Busy(.permanent)) == [])
    let refusing = scene.policy(attempts: 2, retryIf: { _ in false })
    #expect(delays(refusing.advised { _ in .retry }, Flaky()) == [])
    #expect(scene.ends.values.suffix(2).map(\.reason) == [.permanent, .permanent])
  }

  @Test("a permanent error is not retried, and comes out of its wrapper")
  func permanent() async {
    await #expect(throws: Flaky(number: 1)) {
      try await retry(scene.policy(), clock: scene.clock) { attempt in
        throw PermanentError(PermanentError(Flaky(number: attempt.number)))
      }
    }
    #expect(scene.ends.values.map(\.reason) == [.permanent])
    #expect(scene.ends.values[0].error as? Flaky == Flaky(number: 1))
    await #expect(throws: PermanentError.self) {
      try await retry(scene.policy(), clock: scene.clock) { _ throws(PermanentError) in
        throw PermanentError(Flaky())
      }
    }
  }

  @Test("retries results, and returns the last one when the attempts are exhausted")
  func results() async throws {
    async let waits = scene.passWaits(2)
    let first = await retry(
      scene.policy(attempts: 9), clock: scene.clock,
      judging: { number in
        number < 3 ? .retry(after: .seconds(number)) : nil
      }
    ) { $0.number }
    #expect(first == 3)
    #expect(await waits == [.seconds(1), .seconds(2)])
    async let two = scene.passWaits(1)
    let last = await retry(scene.policy(attempts: 2), clock: scene.clock, judging: { _ in .retry })
    {
      $0.number
    }
    #expect(last == 2)
    _ = await two
    #expect(scene.ends.values.map(\.reason) == [.exhausted])
    #expect(scene.ends.values[0].error == nil)
    let permanent = await retry(
      scene.policy(), clock: scene.clock, judging: { _ in .permanent }
    ) { $0.number }
    #expect(permanent == 1)
  }

  @Test("stops when any limit is reached")
  func stop() {
    for (seconds, reason) in [(1, GiveUp.Reason.exhausted), (4, .deadline)] {
      let policy = scene.policy(
        .constant(.seconds(seconds)), attempts: 3, maximumDuration: .seconds(5))
      #expect(delays(policy, Flaky()).count == (seconds == 1 ? 2 : 1))
      #expect(scene.ends.values.last?.reason == reason)
    }
  }

  @Test("a backoff that ends is the end of the attempts")
  func finite() {
    let policy = scene.policy(.list([.seconds(1), .seconds(5)]))
    #expect(delays(policy, Flaky()) == [.seconds(1), .seconds(5)])
    #expect(scene.ends.values[0].reason == .exhausted)
    #expect(scene.ends.values[0].attempts == 3)
  }

  @Test("policies share a budget, whose refusal is named")
  func budget() {
    let budget = RetryBudget(capacity: 10, cost: 5)
    let policy = scene.policy(attempts: 2).sharing(budget)
    for _ in 0..<3 { #expect(delays(policy, Flaky()).count <= 1) }
    #expect(scene.ends.values.map(\.reason) == [.exhausted, .exhausted, .budget])
    #expect(budget.available == 0)
    #expect(delays(policy, Busy(.retry.costing(0))).count == 1)
    _ = scene.run(policy) { _ in (.zero, Result<Void, any Error>.success(())) }
    #expect(budget.available == 1)
  }

  @Test("an attempt that cannot be made takes nothing from the budget")
  func budgetLast() {
    let budget = RetryBudget(capacity: 10, cost: 5)
    _ = delays(scene.policy(attempts: 1).sharing(budget), Flaky())
    _ = delays(scene.policy(maximumDuration: .zero).sharing(budget), Flaky())
    #expect(budget.available == 10)
  }

  @Test("after a healthy attempt everything begins again with it")
  func health() {
    let policy = scene.policy(
      .exponential(from: .seconds(1)), attempts: 3, maximumDuration: .seconds(20)
    )
    .resetting(afterHealthy: .seconds(60))
    let traced = scene.traced(policy)
    _ = scene.run(traced) { [count = Counter()] _ in
      (count.add() == 2 ? .seconds(60) : .seconds(1), Result<Void, any Error>.failure(Flaky()))
    }
    #expect(
      scene.trace.values.filter { $0.contains("after") && !$0.contains(" in ") } == [
        "0.0 seconds: 1 after 0.0 seconds", "2.0 seconds: 2 after 1.0 seconds",
        "63.0 seconds: 2 after 1.0 seconds", "66.0 seconds: 3 after 2.0 seconds",
      ])
    #expect(scene.ends.values[0].attempts == 3)
    #expect(scene.ends.values[0].elapsed == .seconds(5))
  }

  @Test("an attempt that was shorter than the healthy period by a nanosecond was not healthy")
  func notHealthy() {
    let policy = scene.policy(attempts: 2).resetting(afterHealthy: .seconds(1))
    _ = scene.run(policy) { _ in
      (.nanoseconds(999_999_999), Result<Void, any Error>.failure(Flaky()))
    }
    #expect(scene.ends.values.map(\.attempts) == [2])
  }

  @Test("tells its hooks of every attempt, in order, and the older hook first")
  func hooks() async throws {
    let second = EventRecorder<Int>()
    let policy = scene.traced(scene.policy(attempts: 3))
      .beforeAttempt { [trace = scene.trace] in second.record(trace.values.count * 10 + $0.number) }
    async let waits = scene.passWaits(1)
    try await retry(policy, clock: scene.clock) { attempt in
      if attempt.number == 1 { throw Flaky(number: 1) }
    }
    _ = await waits
    #expect(
      scene.trace.values == [
        "0.0 seconds: 1 after 0.0 seconds",
        "0.0 seconds: 1 Flaky(number: 1) in 0.0 seconds, next 2 after 0.1 seconds",
        "0.1 seconds: 2 after 0.1 seconds", "0.1 seconds: 2 succeeded in 0.0 seconds",
      ])
    #expect(second.values == [11, 32])
    #expect(scene.ends.values.isEmpty)
  }

  @Test("the report of the last attempt names it, also if it was healthy")
  func lastReport() {
    let begun = EventRecorder<Int>()
    let ended = EventRecorder<Int>()
    let policy = scene.policy(.constant(.seconds(1))).resetting(afterHealthy: .seconds(60))
      .beforeAttempt { begun.record($0.number) }.afterAttempt { ended.record($0.attempt.number) }
    _ = scene.run(policy) { attempt -> (lasts: Duration, Result<Void, any Error>) in
      attempt.number == 2
        ? (.seconds(60), .failure(PermanentError(Flaky()))) : (.seconds(1), .failure(Flaky()))
    }
    #expect(begun.values == [1, 2] && ended.values == begun.values)
  }
}
