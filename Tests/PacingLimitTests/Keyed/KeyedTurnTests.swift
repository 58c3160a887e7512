import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("KeyedRateLimiter: streams and a full table")
struct KeyedTurnTests {
  let clock = ManualClock()

  private func source(_ count: Int) -> AsyncStream<Int> {
    AsyncStream { continuation in
      for number in 0..<count { continuation.yield(number) }
      continuation.finish()
    }
  }

  /// Reads numbers at the pace of a key until they end.
  private func numbers(
    _ count: Int, by limiter: KeyedRateLimiter<Int>, for key: Int
  ) -> Task<[Int], Never> {
    Task { [source = source(count)] in
      var numbers = [Int]()
      for await number in source.limited(by: limiter.limit(for: key)) { numbers.append(number) }
      return numbers
    }
  }

  @Test("a sequence limited by a key joins a queue that is at its bound, and loses no element")
  func fullQueue() async {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(10), burst: 1, maximumKeys: 10, queue: QueuePolicy(maximumWaiters: 0),
      clock: clock)
    let numbers = numbers(3, by: limiter, for: 7)
    for _ in 0..<2 {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .milliseconds(100))
    }
    #expect(await numbers.value == [0, 1, 2])
    #expect(limiter.statistics.refused == 0 && clock.pendingCount == 0)
  }

  @Test(
    "a stream takes the place of no caller",
    arguments: [WhenFull.makeRoom, .refuse])
  func besideTheBound(whenFull: WhenFull) async {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 1, maximumKeys: 10,
      queue: QueuePolicy(maximumWaiters: 1, whenFull: whenFull), clock: clock)
    #expect(limiter.tryAcquire(for: 7))
    let numbers = numbers(1, by: limiter, for: 7)
    await clock.sleepers(atLeast: 1)
    let results = EventRecorder<Bool>()
    for _ in 0..<2 {
      limiter.acquire(for: 7) { result in
        if case .success = result { results.record(true) } else { results.record(false) }
      }
    }
    clock.runReady()
    #expect(results.values == [false] && limiter.waitingCount == 2)
    clock.advance(by: .seconds(2))
    #expect(await numbers.value == [0])
    #expect(results.values == [false, true] && limiter.waitingCount == 0)
  }

  @Test("a stream and a sequence of a key that a full table refuses end")
  func refusedByTable() async {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 2, maximumKeys: 1, whenFull: .refuse, clock: clock)
    #expect(limiter.tryAcquire(2, for: 1))
    #expect(await numbers(2, by: limiter, for: 2).value.isEmpty)
    for await _ in limiter.ticks(for: 2) { Issue.record("the table is full") }
    #expect(limiter.keyCount == 1 && clock.pendingCount == 0)
  }

  @Test("a caller that does not stream is refused by a full table immediately")
  func refusedCaller() async {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 2, maximumKeys: 1, whenFull: .refuse, clock: clock)
    #expect(limiter.tryAcquire(2, for: 1))
    await #expect(throws: AcquireError.deadline(neededWait: .seconds(2))) {
      try await limiter.acquire(for: 2)
    }
  }
}
