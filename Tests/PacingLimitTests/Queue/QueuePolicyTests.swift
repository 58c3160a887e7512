import Pacing
import PacingTesting
import Testing

@Suite("QueuePolicy")
struct QueuePolicyTests {
  let clock = ManualClock()
  let recorder: EventRecorder<String>

  init() {
    recorder = EventRecorder(clock: clock)
  }

  /// Ten tokens per second, a burst of three, initially empty.
  func limit(_ kind: LimitKind, _ queue: QueuePolicy = .unlimited, initial: Int = 0)
    -> any LimitingTool
  {
    kind.make(burst: 3, initial: initial, queue: queue, clock: clock)
  }

  @Test(
    "a caller that does not wait displaces none, and is told the wait behind all",
    arguments: LimitKind.allCases)
  func impatient(kind: LimitKind) {
    let limit = limit(kind, QueuePolicy(maximumWaiters: 1, whenFull: .makeRoom))
    ask(limit, ["a"], cost: 3)
    ask(limit, ["b"], within: .zero)
    clock.advance(by: .zero)
    let error = AcquireError.deadline(neededWait: .milliseconds(400))
    #expect(recorder.values == ["b: \(error)"] && limit.waitingCount == 1)
  }

  func ask(
    _ limit: any LimitingTool, _ names: [String], cost: Int = 1, within timeout: Duration? = nil
  ) {
    for name in names {
      _ = limit.acquire(Costs(cost), within: timeout) { result in
        if case .failure(let error) = result {
          recorder.record("\(name): \(error)")
        } else {
          recorder.record(name)
        }
      }
    }
    clock.runReady()
  }

  @Test(
    "one more than may wait is refused, and the others keep their turns",
    arguments: LimitKind.allCases)
  func refusesNewest(kind: LimitKind) {
    let limit = limit(kind, QueuePolicy(maximumWaiters: 2))
    ask(limit, ["a", "b", "c"])
    #expect(recorder.values == ["c: queueIsFull(maximumWaiters: 2)"])
    #expect(limit.waitingCount == 2)
    clock.advance(by: .milliseconds(300))
    #expect(recorder.values.suffix(2) == ["a", "b"])
    #expect(limit.available == 1)
  }

  @Test("or the longest waiter is dropped", arguments: LimitKind.allCases)
  func dropsOldest(kind: LimitKind) {
    let limit = limit(kind, QueuePolicy(maximumWaiters: 2, whenFull: .makeRoom))
    ask(limit, ["a", "b", "c"])
    #expect(recorder.values == ["a: queueIsFull(maximumWaiters: 2)"])
    clock.advance(by: .milliseconds(200))
    #expect(recorder.values.suffix(2) == ["b", "c"])
  }

  @Test(
    "the longest waiter is dropped for one that is in time only then",
    arguments: LimitKind.allCases)
  func dropsOldestInTime(kind: LimitKind) {
    let limit = limit(kind, QueuePolicy(maximumWaiters: 1, whenFull: .makeRoom))
    ask(limit, ["a"])
    ask(limit, ["b"], within: .milliseconds(99))
    #expect(recorder.values.first?.hasPrefix("b: deadline(neededWait: Optional(0.1") == true)
    ask(limit, ["c"], within: .milliseconds(100))
    #expect(recorder.values.last == "a: queueIsFull(maximumWaiters: 1)")
    clock.advance(by: .milliseconds(100))
    #expect(recorder.values.last == "c")
  }

  @Test("one that was overtaken until its deadline would have needed more than its timeout")
  func overtaken() {
    let bucket = TokenBucket(
      rate: .every(.milliseconds(10)), burst: 3, initial: 0,
      queue: QueuePolicy(newestFirst: true), clock: clock)
    let refusal = Locked<AcquireError?>(nil)
    bucket.acquire(within: .milliseconds(20)) { result in
      if case .failure(let error) = result { refusal.withLock { $0 = error } }
    }
    bucket.acquire(3) { _ in }
    clock.advance(by: .milliseconds(20))
    #expect(
      refusal.withLock { $0 } == .deadline(neededWait: .milliseconds(20) + .nanoseconds(1)))
  }

  @Test("the last to come is served first, where that was asked for", arguments: LimitKind.allCases)
  func newestFirst(kind: LimitKind) {
    let limit = limit(kind, QueuePolicy(newestFirst: true))
    ask(limit, ["a", "b"])
    clock.advance(by: .milliseconds(50))
    ask(limit, ["c"])
    clock.advance(by: .milliseconds(250))
    #expect(recorder.values == ["c", "b", "a"])
  }

  @Test("the last to come, and the oldest makes way", arguments: LimitKind.allCases)
  func newestFirstDroppingOldest(kind: LimitKind) {
    let limit = limit(
      kind, QueuePolicy(maximumWaiters: 2, newestFirst: true, whenFull: .makeRoom))
    ask(limit, ["a", "b", "c"])
    clock.advance(by: .milliseconds(200))
    #expect(recorder.values == ["a: queueIsFull(maximumWaiters: 2)", "c", "b"])
  }

  @Test(
    "a waiter that is overtaken is refused at its deadline", arguments: LimitKind.allCases)
  func overtaken(kind: LimitKind) {
    let limit = limit(kind, QueuePolicy(newestFirst: true))
    ask(limit, ["a"], within: .milliseconds(150))
    ask(limit, ["b"])
    #expect(limit.peek().retryAfter == .milliseconds(300), "both are served before")
    clock.advance(by: .milliseconds(149))
    #expect(recorder.values == ["b"])
    clock.advance(by: .milliseconds(1))
    #expect(recorder.values.last?.hasPrefix("a: deadline(neededWait: Optional(0.2") == true)
  }

  @Test(
    "so is one that is overtaken by a caller that is served at once",
    arguments: LimitKind.allCases, ["acquire", "async"])
  func overtakenAtOnce(kind: LimitKind, verb: String) async throws {
    let limit = limit(kind, QueuePolicy(newestFirst: true), initial: 1)
    ask(limit, ["a"], cost: 2, within: .milliseconds(100))
    #expect(!limit.tryAcquire() && !limit.request().isAllowed && limit.take(upTo: 3) == 0)
    if verb == "acquire" { ask(limit, ["b"]) } else { try await limit.acquire() }
    clock.advance(by: .milliseconds(100))
    #expect(recorder.values.count { $0.hasPrefix("a: deadline(neededWait: Optional(0.2") } == 1)
    #expect(limit.waitingCount == 0 && limit.available == 1)
  }

  @Test(
    "with a limit of zero there are no waiters, and what is there is granted",
    arguments: LimitKind.allCases
  )
  func nobodyWaits(kind: LimitKind) {
    let limit = limit(kind, QueuePolicy(maximumWaiters: 0))
    ask(limit, ["a"])
    clock.advance(by: .milliseconds(100))
    ask(limit, ["b"])
    #expect(recorder.values == ["a: queueIsFull(maximumWaiters: 0)", "b"])
  }

  @Test(
    "a stream always waits its turn: it makes way for no caller, and takes the place of none",
    arguments: LimitKind.allCases)
  func streams(kind: LimitKind) async {
    let limit = limit(kind, QueuePolicy(maximumWaiters: 1, whenFull: .makeRoom))
    let task = Task {
      var ticks = limit.ticks().makeAsyncIterator()
      return await ticks.next()
    }
    await clock.sleepers(atLeast: 1)
    ask(limit, ["a", "b", "c"])
    #expect(limit.waitingCount == 2 && limit.statistics.refused == 2)
    clock.advance(by: .milliseconds(200))
    #expect(await task.value == clock.now.advanced(by: .milliseconds(-100)))
    #expect(recorder.values.last == "c")
  }

  @Test(
    "an element that costs more than the burst is cut, and no refusal",
    arguments: LimitKind.allCases)
  func cutElement(kind: LimitKind) async {
    let limit = limit(kind, initial: 3)
    let source = AsyncStream<Int> { continuation in
      continuation.yield(5)
      continuation.finish()
    }
    func elements(_ limit: some LimitingTool) async -> Int {
      var count = 0
      for await _ in source.limited(by: limit, cost: { $0 }) { count += 1 }
      return count
    }
    #expect(await elements(limit) == 1)
    #expect(limit.statistics.granted == 1 && limit.statistics.refused == 0)
  }

  @Test(
    "dotnet/runtime#64078: one who was cancelled does not fill the queue",
    arguments: LimitKind.allCases)
  func cancelledLeave(kind: LimitKind) {
    let limit = limit(kind, QueuePolicy(maximumWaiters: 1))
    let first = limit.acquire { _ in recorder.record("first") }
    #expect(first.cancel())
    ask(limit, ["second"])
    clock.advance(by: .milliseconds(100))
    #expect(recorder.values == ["second"])
  }

  @Test(
    "dotnet/runtime#77180: a large one that leaves lets a small one through at once",
    arguments: LimitKind.allCases)
  func largeOneLeaves(kind: LimitKind) {
    let limit = limit(kind, initial: 1)
    let large = limit.acquire(3) { _ in recorder.record("large") }
    _ = limit.acquire(1) { _ in recorder.record("small") }
    large.cancel()
    clock.runReady()
    #expect(recorder.values == ["small"])
  }
}
