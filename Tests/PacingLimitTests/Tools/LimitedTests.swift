import Pacing
import PacingTesting
import Testing

@Suite("Limited sequences")
struct LimitedTests {
  let clock = ManualClock()

  func limit(_ kind: LimitKind, initial: Int = 2) -> any LimitingTool {
    kind.make(burst: 2, initial: initial, clock: clock)
  }

  func source(_ count: Int) -> AsyncStream<Int> {
    AsyncStream { continuation in
      for number in 0..<count { continuation.yield(number) }
      continuation.finish()
    }
  }

  @Test("hands on every element, at the pace of the limit", arguments: LimitKind.allCases)
  func pace(kind: LimitKind) async {
    let recorder = EventRecorder<Int>(clock: clock)
    let limit = limit(kind)
    let task = Task { [source = source(4)] in
      for await number in source.limited(by: limit) { recorder.record(number) }
    }
    for count in 2...3 {
      await clock.sleepers(atLeast: 1)
      #expect(recorder.values.count == count)
      clock.advance(by: .milliseconds(100))
    }
    await task.value
    #expect(recorder.values == [0, 1, 2, 3])
    #expect(limit.available == 0)
    #expect(clock.pendingCount == 0)
  }

  @Test(
    "an element costs what it is said to, and at most what the limit can give",
    arguments: LimitKind.allCases)
  func costs(kind: LimitKind) async {
    let limit = limit(kind)
    let task = Task { [source = source(3)] in
      var numbers = [Int]()
      for await number in source.limited(by: limit, cost: { [0, 1, 100][$0] }) {
        numbers.append(number)
      }
      return numbers
    }
    await clock.sleepers(atLeast: 1)
    #expect(limit.available == -1)
    clock.advance(by: .milliseconds(100))
    #expect(await task.value == [0, 1, 2])
    #expect(limit.available == 0)
  }

  @Test("passes on what upstream throws", arguments: LimitKind.allCases)
  func failures(kind: LimitKind) async {
    struct Failure: Error {}
    let source = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Failure()) }
    await #expect(throws: Failure.self) {
      for try await _ in source.limited(by: limit(kind)) {}
    }
  }

  @Test(
    "ends with its task and with its limit, and spends nothing then", arguments: LimitKind.allCases)
  func ends(kind: LimitKind) async {
    for isClosing in [false, true] {
      let limit = limit(kind, initial: 0)
      let task = Task { [source = source(3)] in
        var count = 0
        for await _ in source.limited(by: limit) { count += 1 }
        return count
      }
      await clock.sleepers(atLeast: 1)
      if isClosing { limit.close() } else { task.cancel() }
      #expect(await task.value == 0)
      #expect(limit.available == 0)
      #expect(clock.pendingCount == 0)
    }
  }

  /// Code written against any limit.
  private func spend(_ limit: some LimitingTool) async throws -> Int {
    guard limit.tryAcquire(), limit.request().isAllowed else { return 0 }
    return limit.waitingCount + limit.take(upTo: 9) + (limit.peek().isAllowed ? 1 : 0)
  }

  @Test("code may take any limit, and names neither", arguments: LimitKind.allCases)
  func generic(kind: LimitKind) async throws {
    let limit = limit(kind)
    #expect(try await spend(limit) == 0)
    #expect(limit.available == 0)
    limit.pause(for: .seconds(5))
    #expect(limit.peek().retryAfter == .seconds(5))
    limit.reset()
    #expect(limit.tryAcquire(2) && limit.statistics.granted == 3)
  }

  @Test("an element that costs nothing, of a limit that asks for more, ends the sequence")
  func nothing() async {
    let empty = AsyncStream<Int> { continuation in
      continuation.yield(0)
      continuation.finish()
    }
    let limit = Padded(bucket: TokenBucket(rate: .perSecond(1), burst: 1, clock: clock))
    for await number in empty.limited(by: limit, cost: { $0 }) {
      Issue.record("\(number) costs two, and the bucket holds one")
    }
  }
}

/// A limit by which each call costs two more.
private struct Padded: AwaitableLimit {
  let bucket: TokenBucket
  func acquire(_ cost: Int, within timeout: Duration?) async throws {
    try await bucket.acquire(cost + 2, within: timeout)
  }
}
