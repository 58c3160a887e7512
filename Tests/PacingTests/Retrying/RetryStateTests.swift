import Pacing
import Synchronization
import Testing

@Suite("RetryState")
struct RetryStateTests {
  struct Flaky: Error {}

  static func at(_ milliseconds: Nanoseconds) -> PacingInstant {
    PacingInstant(nanoseconds: milliseconds * 1_000_000)
  }

  static func policy(attempts: Int? = nil, maximumDuration: Int? = nil, delay: Int = 100)
    -> RetryPolicy
  {
    RetryPolicy(
      backoff: .constant(.milliseconds(delay)), maximumAttempts: attempts,
      maximumDuration: maximumDuration.map { .milliseconds($0) })
  }

  @Test("counts the first try among the attempts")
  func attempts() {
    var state = RetryState(Self.policy(attempts: 2), start: Self.at(0))
    #expect(state.attempt == Attempt(number: 1, delay: .zero))
    guard case .retry(let attempt, at: Self.at(150)) = state.failed(with: Flaky(), at: Self.at(50))
    else {
      Issue.record("no retry")
      return
    }
    #expect(attempt == Attempt(number: 2, delay: .milliseconds(100)))
    guard case .giveUp(let end) = state.failed(with: Flaky(), at: Self.at(160)) else {
      Issue.record("no end")
      return
    }
    #expect(end.reason == .exhausted)
    #expect(end.attempts == 2)
    #expect(end.elapsed == .milliseconds(160))
    #expect(end.neededDelay == nil)
    #expect(end.error is Flaky)
  }

  @Test(
    "gives up at once where the next attempt could only begin when the time is over",
    arguments: [
      (999, 0, nil), (1000, 0, .deadline), (1001, 0, .deadline), (899, 100, nil),
      (900, 100, .deadline), (901, 100, .deadline), (0, 1000, .deadline), (0, 999, nil),
    ] as [(Nanoseconds, Int, GiveUp.Reason?)])
  func deadline(elapsed: Nanoseconds, delay: Int, reason: GiveUp.Reason?) {
    var state = RetryState(Self.policy(maximumDuration: 1000, delay: delay), start: Self.at(0))
    switch state.failed(with: Flaky(), at: Self.at(elapsed)) {
    case .retry: #expect(reason == nil)
    case .giveUp(let end):
      #expect(end.reason == reason)
      #expect(end.neededDelay == .milliseconds(delay))
    }
  }

  @Test("a clock that jumps back gives no time back")
  func jumpsBack() {
    var state = RetryState(Self.policy(maximumDuration: 1000), start: Self.at(0))
    guard case .retry(_, at: Self.at(900)) = state.failed(with: Flaky(), at: Self.at(800)) else {
      Issue.record("no retry")
      return
    }
    state.begin(at: Self.at(50))
    guard case .retry(_, at: Self.at(900)) = state.failed(with: Flaky(), at: Self.at(100)) else {
      Issue.record("the time before it does not count")
      return
    }
  }

  @Test("an attempt is healthy by the time since it began, not since the failure before it")
  func healthySinceItBegan() {
    var state = RetryState(
      Self.policy(delay: 10).resetting(afterHealthy: .milliseconds(15)), start: Self.at(0))
    state.begin(at: Self.at(0))
    _ = state.failed(with: Flaky(), at: Self.at(10))
    state.begin(at: Self.at(20))
    guard case .retry(let attempt, at: Self.at(40)) = state.failed(with: Flaky(), at: Self.at(30))
    else {
      Issue.record("no retry")
      return
    }
    #expect(attempt.number == 3)
  }

  @Test("an end counts the time up to it", arguments: [true, false])
  func elapsed(isWaiting: Bool) {
    var state = RetryState(Self.policy(delay: 10), start: Self.at(0))
    _ = state.failed(with: Flaky(), at: Self.at(10))
    let end = state.cancelled(with: nil, whileWaiting: isWaiting, at: Self.at(25))
    #expect(end.elapsed == .milliseconds(25) && end.attempts == (isWaiting ? 1 : 2))
  }

  @Test("a wait that would not end before a deadline in force is refused, and costs nothing")
  func deadlineInForce() {
    let budget = RetryBudget(capacity: 5, cost: 5)
    for (deadline, isRefused) in [(149, true), (150, true), (151, false)] as [(Nanoseconds, Bool)] {
      var state = RetryState(Self.policy().sharing(budget), start: Self.at(0))
      switch state.failed(with: Flaky(), before: Self.at(deadline), at: Self.at(50)) {
      case .retry: #expect(!isRefused && budget.available == 0)
      case .giveUp(let end):
        #expect(isRefused && end.reason == .deadline && end.neededDelay == .milliseconds(100))
        #expect(budget.available == 5)
      }
    }
  }

  @Test("asks the predicate about a foreign cancellation too")
  func predicate() {
    let asked = Mutex(0)
    let policy = RetryPolicy(
      backoff: .none, maximumAttempts: nil,
      retryIf: { error in
        asked.withLock { $0 += 1 }
        return error is CancellationError
      })
    var state = RetryState(policy, start: Self.at(0))
    guard case .retry = state.failed(with: CancellationError(), at: Self.at(0)),
      case .giveUp(let rejected) = state.failed(with: Flaky(), at: Self.at(0))
    else {
      Issue.record("retried")
      return
    }
    #expect(rejected.reason == .permanent && rejected.attempts == 2)
    #expect(asked.withLock { $0 } == 2)
  }
}
