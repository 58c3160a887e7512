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
    arguments: [QueuePolicy.Overflow.dropOldest, .refuseNewest])
  func besideTheBound(whenFull: QueuePolicy.Overflow) async {
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

  @Test("a sequence of a key that a full table refuses waits until there is room")
  func refusedByTable() async {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: 2, maximumKeys: 1, whenFull: .refuse, clock: clock)
    #expect(limiter.tryAcquire(2, for: 1))
    let numbers = numbers(2, by: limiter, for: 2)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(1999))
    #expect(limiter.statistics.granted == 1)
    clock.advance(by: .milliseconds(1))
    #expect(await numbers.value == [0, 1])
    #expect(limiter.keyCount == 1 && clock.pendingCount == 0)
    #expect(limiter.statistics.refused == 0, "it waits, and is told of no refusal")
  }

  @Test(
    "a sequence that waits for room finds what a changed quota makes, and has its key's new one")
  func changedQuota() async {
    let quota = Locked(Quota(rate: .perHour(1), burst: 1))
    let limiter = KeyedRateLimiter<Int>(maximumKeys: 1, whenFull: .refuse, clock: clock) { _ in
      quota.withLock { $0 }
    }
    #expect(limiter.tryAcquire(for: 1))
    let numbers = numbers(2, by: limiter, for: 2)
    await clock.sleepers(atLeast: 1)
    quota.withLock { $0 = Quota(rate: .perSecond(1), burst: 1) }
    _ = limiter.peek(for: 1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    #expect(await numbers.value == [0, 1])
    #expect(clock.pendingCount == 0)
  }

  @Test("room that comes sooner than foreseen is found", arguments: [FullTable.forget, .refuse])
  func earlyRoom(whenFull: FullTable) async {
    for isReset in [false, true] {
      let limiter = KeyedRateLimiter<Int>(
        rate: .perSecond(1), burst: 2, maximumKeys: 1, whenFull: whenFull, clock: clock)
      limiter.pause(1, for: .seconds(1000))
      let numbers = numbers(2, by: limiter, for: 2)
      await clock.sleepers(atLeast: 1)
      isReset ? limiter.reset(1) : limiter.resume(1)
      #expect(await numbers.value == [0, 1])
      #expect(clock.pendingCount == 0)
    }
  }

  @Test("a stream that waits for room ends with its task, and with the limiter")
  func ends() async {
    for isClosing in [false, true] {
      let limiter = KeyedRateLimiter<Int>(
        rate: .perSecond(1), burst: 2, maximumKeys: 1, whenFull: .refuse, clock: clock)
      #expect(limiter.tryAcquire(2, for: 1))
      let task = Task { [ticks = limiter.ticks(for: 2)] in
        for await _ in ticks { return true }
        return false
      }
      await clock.sleepers(atLeast: 1)
      if isClosing { limiter.close() } else { task.cancel() }
      #expect(await !task.value)
      #expect(clock.pendingCount == 0)
    }
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
