import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("ConcurrencyLimit: adaptive permits")
struct AdaptivePermitsTests {
  let clock = ManualClock()

  private func limit(_ range: ClosedRange<Int>, _ start: Int) -> ConcurrencyLimit {
    ConcurrencyLimit(adaptive: range, startingAt: start, clock: clock)
  }

  /// Takes permits, each after the instant of what was before it.
  private func take(_ count: Int, of limit: ConcurrencyLimit) -> [Permit] {
    (0..<count).compactMap { _ in
      clock.advance(by: .nanoseconds(1))
      return limit.tryAcquire()
    }
  }

  @Test("as many successes as there are permits add one, while at least half are in use")
  func grows() {
    let limit = limit(1...8, 4)
    var permits = take(4, of: limit)
    for round in 1...3 {
      permits.removeFirst().release()
      #expect(limit.count == 4, "after \(round)")
      permits += take(1, of: limit)
    }
    permits.removeFirst().release()
    #expect(limit.count == 5)
    for permit in permits { permit.drop() }
    #expect(limit.count == 4)
    for _ in 0..<9 { take(1, of: limit)[0].release() }
    #expect(limit.count == 4, "one of four is less than half")
  }

  @Test("a success counts before its own release, at exactly half of the permits")
  func half() {
    let limit = limit(2...8, 2)
    for _ in 0..<2 { take(1, of: limit)[0].release() }
    #expect(limit.count == 3)
    for _ in 0..<9 { take(1, of: limit)[0].release() }
    #expect(limit.count == 3, "one of three is less than half")
  }

  @Test("a drop takes a tenth, once for all permits that were taken before the last cut")
  func drops() {
    let limit = limit(1...100, 50)
    let permits = take(20, of: limit)
    permits[0].drop()
    #expect(limit.count == 45)
    for permit in permits[1..<10] { permit.drop() }
    #expect(limit.count == 45)
    let later = take(2, of: limit)
    later[0].drop()
    #expect(limit.count == 40)
    permits[10].drop()
    later[1].drop()
    #expect(limit.count == 40)
  }

  @Test("the count stays in its range, and whole permits are rounded down")
  func range() {
    let limit = limit(3...6, 4)
    for _ in 0..<9 { take(1, of: limit)[0].drop() }
    #expect(limit.count == 3)
    for _ in 0..<99 {
      let permits = take(4, of: limit)
      for permit in permits { permit.release() }
    }
    #expect(limit.count == 6)
    take(1, of: limit)[0].drop()
    #expect(limit.count == 5)
    limit.reconfigure(100)
    #expect(limit.count == 6)
    limit.reconfigure(1)
    #expect(limit.count == 3)
  }

  @Test("a permit that is only dropped by its owner teaches nothing, nor does a second release")
  func silent() {
    let limit = limit(1...8, 1)
    do { _ = take(1, of: limit) }
    #expect(limit.count == 1 && limit.heldCount == 0)
    let permit = take(1, of: limit)[0]
    permit.release()
    permit.drop()
    permit.release()
    #expect(limit.count == 2 && limit.heldCount == 0)
  }

  @Test("waiters are served in turn as the count grows, and wait as it falls")
  func waiters() {
    let limit = limit(1...8, 1)
    let served = EventRecorder<String>(clock: clock)
    let permits = Locked([Permit]())
    let first = take(1, of: limit)
    for name in ["a", "b", "c"] {
      limit.acquire { result in
        served.record(name)
        if case .success(let permit) = result { permits.withLock { $0.append(permit) } }
      }
    }
    first[0].release()
    clock.advance(by: .zero)
    #expect(served.values == ["a", "b"] && limit.count == 2)
    permits.withLock { $0.removeFirst() }.drop()
    clock.advance(by: .zero)
    #expect(limit.count == 1 && served.values == ["a", "b"])
    permits.withLock { $0.removeFirst() }.release()
    clock.advance(by: .zero)
    #expect(served.values == ["a", "b", "c"])
  }

  // MARK: Errors

  struct Busy: RetryAdvising {
    var retryAdvice: RetryAdvice? { .retry(after: .seconds(1)) }
  }

  struct Failed: RetryAdvising {
    var retryAdvice: RetryAdvice? { .retry }
  }

  /// The count after operations, of which ten successes make eleven from ten.
  private func count(
    after error: (any Error)?, _ calls: Int = 10,
    isOverload: (@Sendable (any Error) -> Bool)? = nil
  ) async -> Int {
    let limit = ConcurrencyLimit(
      adaptive: 1...99, startingAt: 10, isOverload: isOverload, clock: clock)
    let others = take(5, of: limit)
    for _ in 0..<calls {
      clock.advance(by: .nanoseconds(1))
      try? await limit.withPermit { if let error { throw error } }
    }
    withExtendedLifetime(others) {}
    return limit.count
  }

  @Test("a time limit and an error that names a wait are signs of overload; others are successes")
  func errors() async {
    #expect(await count(after: nil) == 11)
    #expect(await count(after: Failed()) == 11)
    #expect(await count(after: PermanentError(Failed())) == 11)
    // 9, 8.1 and 7.29.
    #expect(await count(after: Busy(), 3) == 7)
    #expect(await count(after: TimeoutError(limit: .seconds(1)), 3) == 7)
    #expect(await count(after: AcquireError.closed) == 10)
    #expect(await count(after: CancellationError()) == 10)
  }

  @Test("the caller's own rule is asked about all errors but a refusal and a cancellation")
  func ownRule() async {
    #expect(await count(after: Busy(), isOverload: { $0 is Failed }) == 11)
    #expect(await count(after: Failed(), 3, isOverload: { $0 is Failed }) == 7)
    #expect(await count(after: AcquireError.closed, isOverload: { _ in true }) == 10)
    #expect(await count(after: CancellationError(), isOverload: { _ in true }) == 10)
  }

  @Test("a cancellation because the deadline in force has passed is a sign of overload")
  func deadline() {
    let limit = limit(1...99, 10)
    let clock = clock
    clock.run {
      try? await withTimeout(.seconds(1), clock: clock) {
        try await limit.withPermit { try await clock.sleep(for: .seconds(5)) }
      }
    }
    clock.advance(by: .seconds(1))
    #expect(limit.count == 9 && limit.heldCount == 0)
  }

  @Test("a mapped sequence teaches the limit that it shares")
  func mapped() {
    let limit = limit(1...99, 10)
    let clock = clock
    clock.run {
      let source = AsyncStream { $0.yield(1) }
      let results = source.mapped(atMost: limit, clock: clock) { _ in throw Busy() }
      do { for try await () in results {} } catch {}
    }
    clock.advance(by: .seconds(1))
    #expect(limit.count == 9 && limit.heldCount == 0)
  }
}
