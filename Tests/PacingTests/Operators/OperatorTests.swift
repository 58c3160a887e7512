import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Operators")
struct OperatorTests {
  let clock = ManualClock()
  let source = Source<String, Fault>()

  private func debounced() -> DebouncedSequence<Source<String, Fault>> {
    source.debounced(for: .milliseconds(10), clock: clock)
  }

  private func batched() -> BatchedSequence<Source<String, Fault>> {
    source.batched(BatchLimit(maximumCount: 2), clock: clock)
  }

  // MARK: Arrival

  @Test("read upstream before the consumer asks: a slow one waits for no second quiet period")
  func eager() async throws {
    var iterator = debounced().makeAsyncIterator()
    await source.send("a")
    await source.send("b")
    #expect(clock.nextDeadline == .at(10))
    clock.advance(by: .milliseconds(10))
    #expect(try await iterator.next() == "b", "no time passes while the consumer asks")
  }

  @Test("swift-async-algorithms#266, #113, #248: a throttled value leaves by the timer")
  func throttledByTimer() async throws {
    var iterator = source.throttled(every: .milliseconds(10), clock: clock).makeAsyncIterator()
    await source.send("a")
    await source.send("b")
    #expect(try await iterator.next() == "a")
    clock.advance(by: .milliseconds(10))
    #expect(try await iterator.next() == "b", "neither a further value nor the end has come")
  }

  @Test(
    "xstream#257, rxjs#3351, ReactiveSwift#287: the last value comes before the end",
    arguments: [OperatorKind.debounced, .throttled, .audited, .batched, .delayed])
  func lastValue(kind: OperatorKind) async throws {
    let run = kind.run(source, clock)
    await source.send("99 %")
    await source.send("100 %")
    await source.finish()
    clock.advance(by: .seconds(1))
    var last: String?
    while let element = try await run.next() { last = element }
    #expect(last == "100 %")
  }

  @Test("hold the newest value for a slow consumer, all of them where none may be lost")
  func slowConsumer() async throws {
    let other = Source<String, Fault>()
    var newest = source.throttled(every: .zero, clock: clock).makeAsyncIterator()
    var all = other.delayed(by: .zero, clock: clock).makeAsyncIterator()
    for value in ["a", "b", "c"] {
      await source.send(value)
      await other.send(value)
    }
    #expect(try await newest.next() == "c")
    for value in ["a", "b", "c"] { #expect(try await all.next() == value) }
  }

  @Test("each iterator is a run of its own, with a reader and a grid of its own")
  func runs() async {
    let countdown = Countdown(from: 3).debounced(for: .milliseconds(10), clock: clock)
    for _ in 0..<2 {
      var values = [Int]()
      for await value in countdown { values.append(value) }
      #expect(values == [1])
    }
    let sampled = source.sampled(every: .milliseconds(10), clock: clock)
    clock.lapse(by: .milliseconds(7))
    var iterator: _? = sampled.makeAsyncIterator()
    await source.send("a")
    #expect(clock.nextDeadline == .at(17))
    iterator = nil
    _ = iterator
  }

  // MARK: Errors

  @Test(
    "swift-async-algorithms#450: an error is not lost while the consumer is busy",
    arguments: OperatorKind.allCases)
  func errorWhileBusy(kind: OperatorKind) async throws {
    let run = kind.run(source, clock)
    await source.send("decided")
    clock.advance(by: .milliseconds(10))
    // Nothing is ever pending in a timeout: the next one would wait behind the first.
    if kind != .timeout { await source.send("pending") }
    await source.finish(throwing: Fault())
    clock.advance(by: .seconds(1))
    #expect(try await run.next() == "decided", "the error replaces no value")
    await #expect(throws: Fault()) { try await run.next() }
    #expect(try await run.next() == nil, "and is thrown once")
    #expect(clock.pendingCount == 0)
  }

  @Test("an error comes to a consumer that waits", arguments: OperatorKind.allCases)
  func errorWhileWaiting(kind: OperatorKind) async {
    let run = kind.run(source, clock)
    async let failed: Void = source.finish(throwing: Fault())
    await #expect(throws: Fault()) { try await run.next() }
    await failed
  }

  @Test("a sequence that never throws needs no try")
  func neverThrows() async {
    let source = Source<Int, Never>()
    var iterator = source.debounced(for: .zero, clock: clock).makeAsyncIterator()
    await source.send(1)
    #expect(await iterator.next() == 1)
    await source.finish()
    #expect(await iterator.next() == nil)
    #expect(await iterator.next() == nil)
  }

  // MARK: Release

  @Test("dropping the iterator releases all, asked or not", arguments: OperatorKind.allCases)
  func drop(kind: OperatorKind) async {
    for values in [[], ["a"], ["a", "b"]] {
      let source = Source<String, Fault>()
      let run = kind.run(source, clock)
      for value in values { await source.push(value) }
      run.drop()
      #expect(clock.pendingCount == 0)
      await source.waitForRelease()
      clock.advance(by: .seconds(1))
      #expect(clock.pendingCount == 0)
    }
  }

  @Test("cancelling a consumer that waits releases all", arguments: OperatorKind.allCases)
  func cancelWaiting(kind: OperatorKind) async {
    let stage = OperatorStage<String, String> { kind.sequence($0, $1) }
    await stage.send("a")
    _ = stage.takeEvents()
    await stage.send("b")
    stage.leave()
    #expect(stage.takeEvents().last == .end(at: 0), "no error either")
    #expect(stage.clock.pendingCount == 0)
    await stage.source.waitForRelease()
    stage.advance(by: 50)
    #expect(stage.events == [])
  }

  @Test("a task that is cancelled before it asks gets nothing", arguments: OperatorKind.allCases)
  func cancelBefore(kind: OperatorKind) async throws {
    let (source, clock) = (source, clock)
    let task = Task {
      let run = kind.run(source, clock)
      await source.send("a")
      clock.advance(by: .milliseconds(10))
      await source.finish(throwing: Fault())
      withUnsafeCurrentTask { $0?.cancel() }
      return try await run.next()
    }
    #expect(try await task.value == nil)
    #expect(clock.pendingCount == 0)
    #expect(source.isReleased)
  }

  @Test("leaving the loop releases all")
  func leavingTheLoop() async throws {
    let feeder = Task { [source, clock] in
      await source.send("a")
      clock.advance(by: .milliseconds(10))
      await source.send("b")
    }
    for try await value in debounced() {
      #expect(value == "a")
      break
    }
    await feeder.value
    await source.waitForRelease()
    #expect(clock.pendingCount == 0)
  }

  @Test("values are released with the consumer, and when another takes their place")
  func values() async {
    let released = Recorder<String>()
    let source = Source<Burden, Fault>()
    func send(_ name: String) async {
      await source.send(Burden(name) { released.append(name) })
    }
    var delayed: _? = source.delayed(by: .seconds(1), clock: clock).makeAsyncIterator()
    for name in ["a", "b", "c"] { await send(name) }
    #expect(released.all == [])
    delayed = nil
    await source.waitForRelease()
    #expect(released.takeAll() == ["a", "b", "c"])

    let other = Source<Burden, Fault>()
    var audited: _? = other.audited(for: .seconds(1), clock: clock).makeAsyncIterator()
    for name in ["d", "e"] { await other.send(Burden(name) { released.append(name) }) }
    #expect(released.takeAll() == ["d"])
    audited = nil
    await other.waitForRelease()
    #expect(released.takeAll() == ["e"])
    _ = (delayed, audited)
  }

  @Test(
    "what the user's closures hold is released with the run", .timeLimit(.minutes(1)),
    arguments: [OperatorKind.debounced, .throttled, .audited, .batched], [true, false])
  func closures(kind: OperatorKind, hasEnded: Bool) async throws {
    let released = CountDown(1)
    // In a function of its own: nothing here may hold the closure.
    try await run(kind, hasEnded: hasEnded, holding: Burden("closure") { released.arrive() })
    await released.wait()
  }

  private func run(_ kind: OperatorKind, hasEnded: Bool, holding burden: Burden) async throws {
    let wait = { @Sendable (_: String) -> Duration? in withExtendedLifetime(burden) { .zero } }
    let run: any OperatorRun =
      switch kind {
      case .debounced: Run(source.debounced(for: .zero, varying: wait, clock: clock)) { $0 }
      case .throttled: Run(source.throttled(every: .zero, varying: wait, clock: clock)) { $0 }
      case .audited: Run(source.audited(for: .zero, varying: wait, clock: clock)) { $0 }
      default:
        Run(
          source.batched(
            BatchLimit(maximumCount: 1), weigh: { wait($0) == .zero ? 1 : 0 }, clock: clock)
        ) { $0.last }
      }
    await source.send("a")
    if hasEnded { await source.finish(throwing: Fault()) }
    #expect(try await run.next() == "a")
    if hasEnded { await #expect(throws: Fault()) { try await run.next() } }
    run.drop()
  }

  // MARK: Holding back

  @Test("batched(_:) stops reading while two batches wait, and goes on when one is taken")
  func heldBack() async throws {
    var iterator = batched().makeAsyncIterator()
    for value in ["a", "b", "c"] { await source.send(value) }
    await source.push("d")
    #expect(try await iterator.next() == ["a", "b"])
    await source.waitForReader()
    await source.finish()
    #expect(try await iterator.next() == ["c", "d"])
    #expect(try await iterator.next() == nil)
  }

  @Test("batched(_:) reads as long as its limit lets batches wait")
  func holding() async throws {
    let limit = BatchLimit(maximumCount: 1).holding(atMost: 3)
    var iterator = source.batched(limit, clock: clock).makeAsyncIterator()
    for value in ["a", "b"] { await source.send(value) }
    await source.push("c")
    for value in ["a", "b", "c"] { #expect(try await iterator.next() == [value]) }
    await source.waitForReader()
    await source.finish()
  }

  @Test("a reader that is held back is released with the consumer")
  func heldBackRelease() async throws {
    var iterator: _? = batched().makeAsyncIterator()
    for value in ["a", "b", "c"] { await source.send(value) }
    await source.push("d")
    iterator = nil
    await source.waitForRelease()
    _ = iterator
  }

  @Test("no time runs out while two elements wait for the consumer")
  func noTimeWhileHeldBack() async throws {
    var iterator = source.timeout(after: .milliseconds(10), clock: clock).makeAsyncIterator()
    await source.send("a")
    #expect(clock.nextDeadline == .at(10))
    await source.push("b")
    let first = try await iterator.next()
    await source.waitForReader()
    #expect(first == "a" && clock.nextDeadline == .at(10))
    clock.advance(by: .milliseconds(10))
    #expect(try await iterator.next() == "b", "what came in time is delivered")
    await #expect(throws: TimeoutError(limit: .milliseconds(10))) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test("timeout(after:) releases upstream when time is over, not when the consumer asks")
  func timeoutRelease() async throws {
    var iterator = source.timeout(after: .milliseconds(10), clock: clock).makeAsyncIterator()
    clock.advance(by: .milliseconds(10))
    await source.waitForRelease()
    do {
      _ = try await iterator.next()
      Issue.record("nothing was thrown")
    } catch {
      #expect("\(error)" == "nothing came within 0.01 seconds")
    }
  }

  // MARK: Chains

  @Test("stand on each other, and release each other")
  func chain() async throws {
    let probe = Probe(source.throttled(every: .milliseconds(10), clock: clock))
    var iterator: _? = probe.batched(BatchLimit(maximumCount: 2), clock: clock)
      .makeAsyncIterator()
    await probe.asked(1)
    await source.send("a")
    await probe.asked(2)
    await source.send("b")
    await source.send("c")
    clock.advance(by: .milliseconds(10))
    await probe.asked(3)
    #expect(try await iterator?.next() == ["a", "c"])
    await source.send("d")
    #expect(clock.pendingCount == 1)
    iterator = nil
    await source.waitForRelease()
    #expect(clock.pendingCount == 0)
    _ = iterator
  }

  @Test("an error passes through a chain")
  func chainedError() async {
    let chained = debounced().timeout(after: .seconds(1), clock: clock)
      .batched(BatchLimit(maximumCount: 2), clock: clock)
    var iterator = chained.makeAsyncIterator()
    await source.finish(throwing: Fault())
    await #expect(throws: Fault()) { try await iterator.next() }
  }
}
