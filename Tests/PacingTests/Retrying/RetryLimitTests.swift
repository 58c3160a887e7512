import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("retry at the pace of a limit")
struct RetryLimitTests {
  struct Flaky: Error {}

  /// A user's limit: refuses as often as it is told to, and counts what it grants.
  final class Fake: AwaitableLimit {
    private let refusals: Locked<[AcquireError]>
    let granted = Counter()

    init(refusing refusals: [AcquireError] = []) {
      self.refusals = Locked(refusals)
    }

    func acquire(_ cost: Int, within timeout: Duration?) async throws {
      let error = refusals.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      if let error { throw error }
      granted.add(cost)
    }
  }

  let clock = ManualClock()

  /// The instants of the attempts that run, in a task on virtual time.
  private func attempts(
    _ policy: RetryPolicy, limitedBy limit: some AwaitableLimit, within timeout: Duration? = nil,
    failing failures: Int
  ) -> (instants: EventRecorder<Duration>, end: EventRecorder<String>) {
    let instants = EventRecorder<Duration>()
    let end = EventRecorder<String>(clock: clock)
    let left = Locked(failures)
    let start = clock.now
    clock.run { [clock] in
      do {
        try await retry(policy.limited(by: limit, within: timeout), clock: clock) {
          instants.record(start.duration(to: clock.now))
          let mustFail = left.withLock { left in
            left -= 1
            return left >= 0
          }
          if mustFail { throw Flaky() }
        }
        end.record("done")
      } catch {
        end.record("\(error)")
      }
    }
    clock.advance(by: .seconds(60))
    return (instants, end)
  }

  @Test("each attempt waits for its turn, and takes one")
  func paced() {
    let bucket = TokenBucket(rate: .perSecond(1), burst: 1, clock: clock)
    let (instants, end) = attempts(
      RetryPolicy(backoff: .none), limitedBy: bucket, failing: 2)
    #expect(instants.values == [.zero, .seconds(1), .seconds(2)])
    #expect(end.values == ["done"])
    #expect(bucket.statistics.granted == 3)
  }

  @Test("a refusal is a failed attempt, and the wait that it names raises the backoff's delay")
  func refused() {
    let bucket = TokenBucket(rate: .every(.seconds(5)), burst: 1, initial: 0, clock: clock)
    let (instants, end) = attempts(
      RetryPolicy(backoff: .constant(.seconds(1)), maximumAttempts: 2), limitedBy: bucket,
      within: .seconds(2), failing: 0)
    #expect(instants.values == [.seconds(5)])
    #expect(end.values == ["done"])
  }

  @Test("a wait for a turn that would not end before the deadline is refused at once")
  func beyondTheDeadline() {
    for (seconds, isGranted) in [(5, false), (6, true)] {
      let bucket = TokenBucket(rate: .every(.seconds(5)), burst: 1, initial: 0, clock: clock)
      let policy = RetryPolicy(
        backoff: .none, maximumAttempts: 1, maximumDuration: .seconds(seconds))
      let before = clock.now
      let (instants, end) = attempts(policy, limitedBy: bucket, failing: 0)
      #expect(instants.values == (isGranted ? [.seconds(5)] : []))
      #expect(
        end.values == [isGranted ? "done" : "\(AcquireError.deadline(neededWait: .seconds(5)))"])
      #expect(end.entries.map { before.duration(to: $0.instant) } == [.seconds(isGranted ? 5 : 0)])
    }
  }

  @Test(
    "no attempt begins whose turn comes after the deadline, because the wake was late",
    arguments: [false, true])
  func lateTurn(isKeyed: Bool) {
    let rate = Rate.every(.milliseconds(9995))
    let bucket = TokenBucket(rate: rate, burst: 1, clock: clock)
    let keyed = KeyedRateLimiter<Int>(rate: rate, burst: 1, maximumKeys: 9, clock: clock)
    let made = Counter()
    let ends = EventRecorder<GiveUp>()
    let policy = RetryPolicy(
      backoff: .constant(.seconds(1)), maximumAttempts: 5, maximumDuration: .seconds(10),
      onGiveUp: ends.record)
    let task = clock.run { [clock] in
      let paced =
        isKeyed ? policy.limited(by: keyed.limit(for: 7)) : policy.limited(by: bucket)
      return try await retry(paced, clock: clock) { () async throws in
        made.add()
        throw Flaky()
      }
    }
    clock.advance(by: .seconds(1))
    clock.lapse(by: .milliseconds(9000))
    clock.advance(by: .zero)
    #expect(made.value == 1 && ends.values.map(\.reason) == [.deadline])
    // What was charged for it is given back.
    #expect((isKeyed ? keyed.available(for: 7) : bucket.available) == 1)
    #expect((isKeyed ? keyed.statistics : bucket.statistics).tokens == 1)
    task.cancel()
  }

  @Test("the wait for a turn makes no attempt healthy, nor does a refusal after it")
  func unhealthy() {
    let bucket = TokenBucket(rate: .every(.seconds(10)), burst: 1, clock: clock)
    let policy = RetryPolicy(backoff: .constant(.milliseconds(1)), maximumAttempts: 3)
      .resetting(afterHealthy: .seconds(9))
    let (instants, end) = attempts(policy, limitedBy: bucket, failing: 100)
    #expect(instants.values.count == 3 && end.values == ["\(Flaky())"])
  }

  @Test("the wait for a turn is no part of the attempt's time")
  func attemptTimeout() {
    let bucket = TokenBucket(rate: .every(.seconds(5)), burst: 1, initial: 0, clock: clock)
    let policy = RetryPolicy(backoff: .none, maximumAttempts: 1, attemptTimeout: .seconds(1))
    let (instants, end) = attempts(policy, limitedBy: bucket, failing: 0)
    #expect(instants.values == [.seconds(5)] && end.values == ["done"])
  }

  @Test("a limit that can never grant ends the retry")
  func never() {
    for error in [AcquireError.closed, .exceedsBurst(cost: 1, burst: 0)] {
      let fake = Fake(refusing: [error])
      let (instants, end) = attempts(
        RetryPolicy(backoff: .constant(.seconds(1))), limitedBy: fake, failing: 0)
      #expect(instants.values.isEmpty && fake.granted.value == 0)
      #expect(end.values == ["\(error)"])
    }
  }

  @Test("a limit of the user's paces attempts too; a full queue is tried again after the backoff")
  func fake() {
    let fake = Fake(refusing: [.queueIsFull(maximumWaiters: 3), .deadline(neededWait: nil)])
    let (instants, end) = attempts(
      RetryPolicy(backoff: .constant(.seconds(1)), maximumAttempts: 4), limitedBy: fake, failing: 1)
    #expect(instants.values == [.seconds(2), .seconds(3)])
    #expect(end.values == ["done"] && fake.granted.value == 2)
  }

  @Test("the operation may ask which attempt it is")
  func numbered() async throws {
    let policy = RetryPolicy(backoff: .none).limited(by: Fake())
    let number = try await retry(policy, clock: clock) { attempt async throws in attempt.number }
    #expect(number == 1)
  }
}
