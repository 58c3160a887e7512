import Pacing
import PacingTesting
import TestSupport
import Testing

/// Bugs that users of other libraries reported, each with its issue.
@Suite("Retrying: complaints about others", .eachBeginning)
struct RetryComplaintTests {
  typealias Flaky = RetryScene.Flaky
  typealias Busy = RetryPolicyTests.Busy

  let scene = RetryScene()
  var clock: ManualClock { scene.clock }

  @Test("tenacity#186, tenacity#529: a cancellation is not retried, whatever the predicate says")
  func cancellation() async {
    let made = Counter()
    let task = Task { [clock, policy = scene.policy(retryIf: { _ in true })] in
      try await retry(policy, clock: clock) { _ in
        made.add()
        withUnsafeCurrentTask { $0?.cancel() }
        try Task.checkCancellation()
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(made.value == 1)
  }

  @Test("google-cloud-rust#2307: no sleep passes the deadline")
  func deadline() async {
    await #expect(throws: Flaky.self) {
      try await retry(
        scene.policy(.constant(.seconds(30)), maximumDuration: .seconds(10)), clock: clock
      ) { _ in throw Flaky() }
    }
    #expect(clock.now == .at(0))
    #expect(scene.ends.values.map(\.neededDelay) == [.seconds(30)])
  }

  @Test("cenkalti/backoff#159: a Retry-After above the maximum ends nothing in silence")
  func retryAfterAboveMaximum() {
    let backoff = Backoff.exponential(from: .seconds(1)).capped(at: .seconds(5))
    for bound in [86_400, 20, 0] {
      let policy = scene.policy(backoff, attempts: 2).obeyingHints(atMost: .seconds(bound))
      let attempts = Counter()
      _ = scene.run(policy) { _ in
        attempts.add()
        return (.zero, Result<Void, any Error>.failure(Busy(.retry(after: .seconds(60)))))
      }
      #expect(attempts.value == 2)
    }
    #expect(scene.ends.values.map(\.reason) == [.exhausted, .exhausted, .exhausted])
  }

  @Test("cenkalti/backoff#142, failsafe#342: the backoff begins again after a healthy time")
  func health() {
    let timer = RetryTimer(
      backoff: .exponential(from: .seconds(1)), healthyPeriod: .seconds(60), clock: clock)
    for delay in [1, 2, 4] {
      #expect(timer.scheduleNext()?.delay == .seconds(delay))
      clock.advance(by: .seconds(delay))
    }
    clock.advance(by: .milliseconds(59_999))
    #expect(timer.scheduleNext()?.delay == .seconds(8))
    clock.advance(by: .seconds(8 + 60))
    #expect(timer.scheduleNext() == Attempt(number: 1, delay: .seconds(1)))
  }

  @Test(
    "Polly.Contrib#24, aws-sdk-java#874, dragonfly#4852: no delay overflows to nothing",
    arguments: [
      .exponential(from: .seconds(1)), .exponential(from: .seconds(1), factor: 1e308),
      .linear(from: .seconds(1), by: .seconds(Int64.max)),
      .exponential(from: .seconds(1)).jittered(.proportional(0.5)),
    ] as [Backoff])
  func overflow(backoff: Backoff) {
    for (number, delay) in backoff.delays().prefix(5000).enumerated() {
      if delay < .milliseconds(500) { Issue.record("\(delay) after \(number) retries") }
    }
  }

  @Test(
    "backon#240: no jitter exceeds the maximum",
    arguments: [
      .full, .equal, .proportional(1), .decorrelated,
    ] as [Jitter])
  func jitterAboveMaximum(jitter: Jitter) {
    let backoff = Backoff.exponential(from: .seconds(1)).capped(at: .seconds(5))
    for seed in 1...50 as ClosedRange<UInt64> {
      for delay in backoff.jittered(jitter, seed: seed).delays().prefix(20) {
        #expect(delay <= .seconds(5))
      }
    }
  }

  @Test("ky#390: a Retry-After of zero is the backoff, not never and not at once")
  func retryAfterZero() async throws {
    async let waits = scene.passWaits(1)
    let last = try await retry(scene.policy(.constant(.seconds(9))), clock: clock) { attempt in
      if attempt.number == 1 { throw Busy(.retry(after: .zero)) }
      return attempt
    }
    #expect(last == Attempt(number: 2, delay: .seconds(9)))
    #expect(await waits == [.seconds(9)])
  }

  @Test("a server that says 0 for ever gets no storm: the backoff holds")
  func noStorm() {
    let attempts = Counter()
    let policy = scene.policy(
      .exponential(from: .milliseconds(100)), maximumDuration: .milliseconds(300))
    _ = scene.run(policy) { _ in
      attempts.add()
      return (.zero, Result<Void, any Error>.failure(Busy(.retry(after: .zero))))
    }
    #expect(attempts.value == 2)
  }

  @Test("p-retry#97: an abort during the backoff ends it at once")
  func abortDuringBackoff() async {
    let task = Task {
      try await retry(scene.policy(.constant(.seconds(3600))), clock: clock) { _ in throw Flaky() }
    }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now == .at(0))
    #expect(clock.pendingCount == 0)
  }

  @Test("Polly#2348, opendal#7376: a budget's refusals can be seen, each and all")
  func budgetRefusals() {
    let budget = RetryBudget(capacity: 0)
    for _ in 0..<3 {
      _ = scene.run(scene.policy(attempts: 5).sharing(budget)) { _ in
        (.zero, Result<Void, any Error>.failure(Flaky()))
      }
    }
    #expect(scene.ends.values.map(\.reason) == [.budget, .budget, .budget])
    #expect(scene.ends.values.allSatisfy { $0.attempts == 1 && $0.error is Flaky })
  }

  @Test(
    "node-retry#92: each attempt has a time of its own, within the whole; a timeout is no abort")
  func attemptTimeout() async {
    let policy = scene.traced(
      scene.policy(maximumDuration: .milliseconds(2500), attemptTimeout: .seconds(1)))
    let task = clock.run { [clock] in
      try await retry(policy, clock: clock) { _ in
        // A wait that knows nothing of the deadline.
        await OneShot<Void>().outcome(ifCancelled: ())
        try Task.checkCancellation()
      }
    }
    for milliseconds in [1000, 1100, 2100, 2200, 2500] {
      #expect(clock.nextDeadline == .at(milliseconds))
      clock.advance(to: .at(milliseconds))
    }
    await #expect(throws: TimeoutError(limit: .milliseconds(300))) { try await task.value }
    #expect(scene.ends.values.map(\.reason) == [.deadline])
    #expect(scene.ends.values.map(\.attempts) == [3])
  }

  @Test("swift-nio#2505: repeating polls are scattered again each time, so no herd stays together")
  func herd() {
    let (clients, rounds) = (20, 5)
    var polls = [[Int]]()
    for seed in 1...UInt64(clients) {
      let clock = ManualClock()
      let times = EventRecorder<Int>()
      let schedule = PollSchedule(every: .seconds(10), jitter: .seconds(1), seed: seed)
      let reader = clock.run {
        for await _ in schedule.results(clock: clock, { times.record(clock.now.milliseconds) }) {}
      }
      while times.values.count < rounds { clock.advance(to: clock.nextDeadline!) }
      reader.cancel()
      clock.runReady()
      polls.append(times.values)
    }
    for round in 0..<rounds {
      let offsets = polls.map { $0[round] - round * 10_000 }
      #expect(offsets.allSatisfy { (0...1000).contains($0) })
      #expect(Set(offsets).count > clients * 3 / 4, "round \(round)")
    }
  }
}
