import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("retrying sequences")
struct RetryingSequenceTests {
  typealias Flaky = RetryScene.Flaky

  let scene = RetryScene()
  var clock: ManualClock { scene.clock }
  let seen = EventRecorder<Int>()

  /// A sequence of `count` numbers, then an error.
  static func numbers(_ count: Int, then error: (any Error)?) -> AsyncThrowingStream<Int, any Error>
  {
    AsyncThrowingStream { continuation in
      for number in 0..<count { continuation.yield(number) }
      continuation.finish(throwing: error)
    }
  }

  @Test("begins again after an error, passes elements on, and ends when an attempt ends")
  func ends() async throws {
    let policy = scene.traced(scene.policy(attempts: 5))
    let attempts = Counter()
    async let waits = scene.passWaits(2)
    let sequence = retrying(policy, clock: clock) {
      let attempt = attempts.add()
      return Self.numbers(attempt, then: attempt < 3 ? Flaky(number: attempt) : nil)
    }
    for try await number in sequence { seen.record(number) }
    #expect(await waits == [.milliseconds(100), .milliseconds(100)])
    #expect(seen.values == [0, 0, 1, 0, 1, 2])
    #expect(scene.ends.values.isEmpty)
    #expect(scene.trace.values.last == "0.2 seconds: 3 succeeded in 0.0 seconds")
    #expect(clock.pendingCount == 0)
  }

  @Test("throws the last error when the policy gives up, and is over then")
  func givesUp() async throws {
    let attempts = Counter()
    async let waits = scene.passWaits(1)
    var iterator = retrying(scene.policy(attempts: 2), clock: clock) {
      Self.numbers(1, then: Flaky(number: attempts.add()))
    }.makeAsyncIterator()
    #expect(try await iterator.next(isolation: #isolation) == 0)
    #expect(try await iterator.next(isolation: #isolation) == 0)
    await #expect(throws: Flaky(number: 2)) { try await iterator.next(isolation: #isolation) }
    #expect(try await iterator.next(isolation: #isolation) == nil)
    _ = await waits
    #expect(scene.ends.values.map(\.reason) == [.exhausted])
  }

  @Test("a sequence that was healthy for the period begins everything again")
  func healthy() async {
    let policy = scene.policy(.exponential(from: .seconds(1)), attempts: 2)
      .resetting(afterHealthy: .seconds(10))
    let attempts = Counter()
    let clock = clock
    let task = clock.run {
      let sequence = retrying(policy, clock: clock) {
        if attempts.add() < 3 { try await clock.sleep(for: .seconds(10)) }
        return Self.numbers(0, then: Flaky())
      }
      for try await _ in sequence {}
    }
    for _ in 0..<4 {
      await clock.sleepers(atLeast: 1)
      clock.advance(to: clock.nextDeadline!)
    }
    await #expect(throws: Flaky.self) { try await task.value }
    #expect(attempts.value == 3)
    #expect(clock.now == .at(22_000))
  }

  @Test("cancelled while it waits, it ends at once, and holds no timer")
  func cancelled() async {
    let clock = clock
    let policy = scene.policy()
    let task = Task {
      for try await _ in retrying(policy, clock: clock, { Self.numbers(0, then: Flaky()) }) {}
    }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.pendingCount == 0)
    #expect(scene.ends.values.map(\.reason) == [.cancelled])
  }

  @Test("the limit and the time of an attempt are those of the call that makes the sequence")
  func limited() async {
    let clock = ManualClock()
    let bucket = TokenBucket(rate: .every(.seconds(50)), burst: 1, initial: 0, clock: clock)
    let policy = RetryPolicy(backoff: .none, maximumAttempts: 2, attemptTimeout: .seconds(2))
    let attempts = EventRecorder<Int>(clock: clock)
    let start = clock.now
    let task = clock.run {
      let numbers = retrying(policy.limited(by: bucket), clock: clock) {
        attempts.record(1)
        try await clock.sleep(for: .seconds(attempts.values.count == 1 ? 30 : 1))
        return AsyncStream<Int> {
          try? await clock.sleep(for: .seconds(30))
          return nil
        }
      }
      for try await _ in numbers {}
      return start.duration(to: clock.now)
    }
    clock.advance(by: .seconds(200))
    let begun = attempts.entries.map { start.duration(to: $0.instant) }
    #expect(begun == [.seconds(50), .seconds(100)])
    #expect((try? await task.value) == .seconds(131))
    #expect(bucket.statistics.granted == 2)
  }
}
