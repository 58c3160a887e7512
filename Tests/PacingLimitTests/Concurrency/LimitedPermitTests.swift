import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("ConcurrencyLimit: limited starts")
struct LimitedPermitTests {
  let clock = ManualClock()

  /// Requests a permit, records the answer, and gives the permit back.
  @discardableResult
  private func ask(
    _ name: String, _ limit: ConcurrencyLimit, within timeout: Duration? = nil,
    in answers: EventRecorder<String>
  ) -> Acquisition {
    limit.acquire(within: timeout) { result in
      switch result {
      case .success: answers.record(name)
      case .failure(let error): answers.record("\(name): \(error.reason)")
      }
    }
  }

  /// Starts tasks that hold a permit for a time, and records the names of those that have it.
  private func hold(
    _ names: [String], _ limit: ConcurrencyLimit, for time: Duration,
    in answers: EventRecorder<String>
  ) {
    let clock = clock
    for name in names {
      clock.run {
        try? await limit.withPermit {
          answers.record(name)
          try await clock.sleep(for: time)
        }
      }
    }
  }

  /// The instants of the answers.
  private func seconds(_ answers: EventRecorder<String>) -> [Double] {
    answers.entries.map { PacingInstant(nanoseconds: 0).duration(to: $0.instant) / .seconds(1) }
  }

  private func every(_ period: Duration) -> Limit {
    .tokenBucket(rate: .every(period), burst: 1)
  }

  @Test("starts come as fast as the limits and the permits allow, whichever is slower")
  func both() {
    let limit = ConcurrencyLimit(2, limitedBy: [every(.seconds(2))], clock: clock)
    let answers = EventRecorder<String>(clock: clock)
    hold(["a", "b", "c", "d"], limit, for: .seconds(6), in: answers)
    clock.advance(by: .seconds(20))
    #expect(answers.values == ["a", "b", "c", "d"] && seconds(answers) == [0, 2, 6, 8])
    #expect(limit.heldCount == 0 && clock.pendingCount == 0)
  }

  @Test("what is refused for want of a permit spends nothing of the limits")
  func spendsNothing() throws {
    let limit = ConcurrencyLimit(
      1, limitedBy: [.fixedWindow(2, per: .seconds(3600))], clock: clock)
    let answers = EventRecorder<String>()
    let permit = try #require(limit.tryAcquire())
    for _ in 0..<10 { #expect(limit.tryAcquire() == nil) }
    for _ in 0..<10 { ask("late", limit, within: .seconds(1), in: answers) }
    let leavers = (0..<10).map { _ in ask("leaver", limit, in: answers) }
    for leaver in leavers { #expect(leaver.cancel()) }
    clock.advance(by: .seconds(1))
    #expect(answers.values == Array(repeating: "late: deadline", count: 10))
    permit.release()
    #expect(limit.tryAcquire() != nil, "one of two is left")
    #expect(limit.tryAcquire() == nil, "none is left")
    #expect(limit.heldCount == 0)
  }

  @Test("what is refused by the limits, or waits for them, holds no permit")
  func holdsNothing() throws {
    let limit = ConcurrencyLimit(2, limitedBy: [every(.seconds(10))], clock: clock)
    let answers = EventRecorder<String>()
    try #require(limit.tryAcquire()).release()
    #expect(limit.tryAcquire() == nil && limit.heldCount == 0)
    ask("a", limit, in: answers)
    #expect(limit.heldCount == 0 && limit.waitingCount == 1)
    clock.advance(by: .nanoseconds(9_999_999_999))
    #expect(limit.heldCount == 0 && answers.values == [])
    clock.advance(by: .nanoseconds(1))
    #expect(answers.values == ["a"])
  }

  @Test(
    "a deadline before the limits allow one more is refused at once, one at that instant is met")
  func deadlines() {
    let limit = ConcurrencyLimit(2, limitedBy: [every(.seconds(10))], clock: clock)
    let answers = EventRecorder<String>(clock: clock)
    ask("a", limit, in: answers)
    ask("b", limit, within: .nanoseconds(9_999_999_999), in: answers)
    ask("c", limit, within: .seconds(10), in: answers)
    // Certain to be too late, because c is served before.
    ask("d", limit, within: .seconds(15), in: answers)
    clock.advance(by: .seconds(20))
    #expect(answers.values == ["a", "b: deadline", "d: deadline", "c"])
    #expect(seconds(answers) == [0, 0, 0, 10])
  }

  @Test("waiters get the full rate although the timer is late, unless catchUp is zero")
  func lateTimer() {
    for (catchUp, third) in [(Duration.seconds(60), 20.0), (.zero, 24)] {
      let clock = ManualClock()
      let limit = ConcurrencyLimit(
        3, limitedBy: [every(.seconds(10))], queue: QueuePolicy(catchUp: catchUp), clock: clock)
      let answers = EventRecorder<String>(clock: clock)
      for name in ["a", "b", "c"] { ask(name, limit, in: answers) }
      clock.advance(by: .seconds(9))
      clock.lapse(by: .seconds(5))
      clock.advance(by: .seconds(20))
      #expect(seconds(answers) == [0, 14, third])
    }
  }

  @Test("a permit that comes back after the token did is what the grant counts from")
  func countsFromBoth() {
    let limit = ConcurrencyLimit(
      1, limitedBy: [every(.seconds(10))], queue: QueuePolicy(catchUp: .seconds(60)), clock: clock)
    let answers = EventRecorder<String>(clock: clock)
    hold(["a", "b", "c"], limit, for: .seconds(13), in: answers)
    clock.advance(by: .seconds(60))
    #expect(seconds(answers) == [0, 13, 26])
    // The token of 26 + 10 is there; that of 13 + 10 was not saved.
    #expect(limit.tryAcquire() != nil && limit.tryAcquire() == nil)
  }

  @Test("the queue's order, its bound and close are those of a limit without limits")
  func queue() async {
    let limit = ConcurrencyLimit(
      4, limitedBy: [every(.seconds(10))],
      queue: QueuePolicy(maximumWaiters: 2, newestFirst: true, whenFull: .makeRoom),
      clock: clock)
    let answers = EventRecorder<String>()
    for name in ["a", "b", "c", "d"] { ask(name, limit, in: answers) }
    clock.advance(by: .seconds(10))
    #expect(answers.values == ["a", "b: queue is full", "d"])
    limit.close()
    clock.advance(by: .seconds(10))
    #expect(answers.values == ["a", "b: queue is full", "d", "c: closed"])
    await #expect(throws: AcquireError.closed) { _ = try await limit.acquire() }
    #expect(clock.pendingCount == 0)
  }
}
