import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Operators")
struct OperatorTests {
  let clock = ManualClock()
  let source = Source<String, Fault>()

  /// Sends elements to the reader.
  private func send(_ elements: String...) {
    for element in elements {
      source.send(element)
      clock.runReady()
    }
  }

  /// Ends upstream, with or without an error.
  private func finish(throwing fault: Fault? = nil) {
    source.finish(throwing: fault)
    clock.runReady()
  }

  private func debounced() -> PacedSequence<String, Fault> {
    source.debounced(for: .milliseconds(10), clock: clock)
  }

  private func batched() -> PacedSequence<[String], Fault> {
    source.batched(BatchLimit(maximumCount: 2), clock: clock)
  }

  // MARK: Arrival

  @Test("read upstream before the consumer asks: a slow one waits for no second quiet period")
  func eager() async throws {
    var iterator = debounced().makeAsyncIterator()
    send("a", "b")
    #expect(clock.nextDeadline == .at(10))
    clock.advance(by: .milliseconds(10))
    #expect(try await iterator.next() == "b", "no time passes while the consumer asks")
  }

  @Test("swift-async-algorithms#266, #113, #248: a throttled value leaves by the timer")
  func throttledByTimer() async throws {
    var iterator = source.throttled(every: .milliseconds(10), clock: clock).makeAsyncIterator()
    send("a", "b")
    #expect(try await iterator.next() == "a")
    clock.advance(by: .milliseconds(10))
    #expect(try await iterator.next() == "b", "neither a further value nor the end has come")
  }

  @Test(
    "xstream#257, rxjs#3351, ReactiveSwift#287: the last value comes before the end",
    arguments: [OperatorKind.debounced, .throttled, .audited, .batched, .delayed])
  func lastValue(kind: OperatorKind) async throws {
    let run = kind.run(source, clock)
    send("99 %", "100 %")
    finish()
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
      other.send(value)
      send(value)
    }
    #expect(try await newest.next() == "c")
    for value in ["a", "b", "c"] { #expect(try await all.next() == value) }
  }

  @Test("each iterator is a run of its own, with a reader and a grid of its own")
  func runs() async {
    let countdown = Countdown(from: 3).debounced(for: .milliseconds(10), clock: clock)
    for _ in 0..<2 {
      var iterator = countdown.makeAsyncIterator()
      clock.runReady()
      #expect(await iterator.next() == 1)
      #expect(await iterator.next() == nil)
    }
    let sampled = source.sampled(every: .milliseconds(10), clock: clock)
    clock.lapse(by: .milliseconds(7))
    var iterator: _? = sampled.makeAsyncIterator()
    send("a")
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
    send("decided")
    clock.advance(by: .milliseconds(10))
    // A timeout never has a pending element: the next one would wait behind the first.
    if kind != .timeout { send("pending") }
    finish(throwing: Fault())
    clock.advance(by: .seconds(1))
    #expect(try await run.next() == "decided", "the error replaces no value")
    await #expect(throws: Fault()) { try await run.next() }
    #expect(try await run.next() == nil, "and is thrown once")
    #expect(clock.pendingCount == 0)
  }

  @Test("an error comes to a consumer that waits", arguments: OperatorKind.allCases)
  func errorWhileWaiting(kind: OperatorKind) {
    let stage = OperatorStage<String, String> { kind.sequence($0, $1) }
    stage.finish(throwing: Fault())
    #expect(stage.events == [.fault(at: 0)])
  }

  @Test("a sequence that never throws needs no try")
  func neverThrows() async {
    let source = Source<Int, Never>()
    var iterator = source.debounced(for: .zero, clock: clock).makeAsyncIterator()
    source.send(1)
    source.finish()
    clock.runReady()
    #expect(await iterator.next() == 1)
    #expect(await iterator.next() == nil)
    #expect(await iterator.next() == nil)
  }

  // MARK: Release

  @Test(
    "dropping the iterator releases all, whatever was read",
    arguments: OperatorKind.allCases, [true, false])
  func drop(kind: OperatorKind, isRead: Bool) {
    for values in [[], ["a"], ["a", "b"]] {
      let source = Source<String, Fault>()
      let run = kind.run(source, clock)
      for value in values {
        source.send(value)
        if isRead { clock.runReady() }
      }
      run.drop()
      #expect(clock.pendingCount == 0)
      clock.advance(by: .seconds(1))
      #expect(clock.pendingCount == 0 && source.isReleased)
    }
  }

  @Test("cancelling a consumer that waits releases all", arguments: OperatorKind.allCases)
  func cancelWaiting(kind: OperatorKind) {
    let stage = OperatorStage<String, String> { kind.sequence($0, $1) }
    stage.send("a")
    _ = stage.takeEvents()
    stage.send("b")
    stage.leave()
    #expect(stage.takeEvents().last == .end(at: 0), "no error either")
    #expect(stage.clock.pendingCount == 0)
    #expect(stage.source.isReleased)
    stage.advance(by: 50)
    #expect(stage.events == [])
  }

  @Test("a task that is cancelled before it asks gets nothing", arguments: OperatorKind.allCases)
  func cancelBefore(kind: OperatorKind) async throws {
    let task = Task { [self] in
      let run = kind.run(source, clock)
      send("a")
      clock.advance(by: .milliseconds(10))
      finish(throwing: Fault())
      withUnsafeCurrentTask { $0?.cancel() }
      return try await run.next()
    }
    #expect(try await task.value == nil)
    #expect(clock.pendingCount == 0)
    #expect(source.isReleased)
  }

  @Test("leaving the loop releases all")
  func leavingTheLoop() async throws {
    let (clock, debounced) = (clock, debounced())
    clock.run {
      for try await value in debounced {
        #expect(value == "a")
        break
      }
    }
    send("a")
    clock.advance(by: .milliseconds(10))
    #expect(clock.pendingCount == 0 && source.isReleased)
  }

  @Test("values are released with the consumer, and when another takes their place")
  func values() {
    let released = EventRecorder<String>()
    func names<Operated: AsyncSequence>(_ operate: (Source<Burden, Fault>) -> Operated) {
      let source = Source<Burden, Fault>()
      var iterator: _? = operate(source).makeAsyncIterator()
      for name in ["a", "b", "c"] {
        source.send(Burden(name) { released.record(name) })
        clock.runReady()
      }
      released.record("left")
      iterator = nil
      clock.runReady()
      _ = iterator
    }
    names { $0.delayed(by: .seconds(1), clock: clock) }
    #expect(released.takeAll() == ["left", "a", "b", "c"])
    names { $0.audited(for: .seconds(1), clock: clock) }
    #expect(released.takeAll() == ["a", "b", "left", "c"])
  }

  @Test(
    "what the user's closures hold is released with the run",
    arguments: [OperatorKind.debounced, .throttled, .audited, .batched], [true, false])
  func closures(kind: OperatorKind, hasEnded: Bool) async throws {
    let released = CountDown(1)
    // A separate function, because nothing here may hold the closure.
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
    send("a")
    if hasEnded { finish(throwing: Fault()) }
    #expect(try await run.next() == "a")
    if hasEnded { await #expect(throws: Fault()) { try await run.next() } }
    run.drop()
    clock.runReady()
  }

  // MARK: Holding back

  @Test("batched(_:) stops reading while two batches wait, and goes on when one is taken")
  func heldBack() async throws {
    var iterator = batched().makeAsyncIterator()
    send("a", "b", "c", "d", "e", "f")
    #expect(source.count == 2)
    #expect(try await iterator.next() == ["a", "b"])
    finish()
    #expect(try await iterator.next() == ["c", "d"])
    clock.runReady()
    #expect(try await iterator.next() == ["e", "f"])
    clock.runReady()
    #expect(try await iterator.next() == nil)
  }

  @Test("empty batches, more than a slow consumer takes, hold back neither elements nor the error")
  func emptyBatches() async {
    let limit = BatchLimit.every(.milliseconds(10), includingEmpty: true)
    let seen = EventRecorder<String>(clock: clock)
    let task = clock.run { [clock, batches = source.batched(limit, clock: clock)] in
      do {
        for try await batch in batches {
          for element in batch { seen.record(element) }
          try await clock.sleep(for: .milliseconds(15))
        }
      } catch {
        seen.record("\(error)")
      }
    }
    clock.advance(by: .milliseconds(100))
    send("a", "b")
    clock.advance(by: .milliseconds(100))
    send("c")
    clock.advance(by: .milliseconds(10))
    finish(throwing: Fault())
    clock.advance(by: .seconds(1))
    await task.value
    #expect(seen.values == ["a", "b", "c", "\(Fault())"])
  }

  @Test("batched(_:) reads as long as its limit lets batches wait")
  func holding() async throws {
    let limit = BatchLimit(maximumCount: 1, maximumPendingBatches: 3)
    var iterator = source.batched(limit, clock: clock).makeAsyncIterator()
    send("a", "b", "c", "d", "e")
    #expect(source.count == 2)
    for value in ["a", "b", "c"] { #expect(try await iterator.next() == [value]) }
  }

  @Test("by key, reading stops while elements of as many keys wait as may be in use")
  func heldBackByKey() async throws {
    let paced = source.debounced(
      for: .zero, by: { $0 }, maximumKeys: 2, clock: clock)
    var iterator = paced.makeAsyncIterator()
    send("a", "b", "c", "d")
    #expect(source.count == 2)
    for (value, unread) in [("a", 1), ("b", 0), ("c", 0), ("d", 0)] {
      #expect(try await iterator.next() == value)
      clock.runReady()
      #expect(source.count == unread)
    }
  }

  @Test("a reader that is held back is released with the consumer")
  func heldBackRelease() {
    var iterator: _? = batched().makeAsyncIterator()
    send("a", "b", "c", "d", "e")
    #expect(!source.isReleased)
    iterator = nil
    clock.runReady()
    #expect(source.isReleased)
    _ = iterator
  }

  @Test("no time runs out while two elements wait for the consumer")
  func noTimeWhileHeldBack() async throws {
    var iterator = source.timeout(after: .milliseconds(10), clock: clock).makeAsyncIterator()
    send("a")
    #expect(clock.nextDeadline == .at(10))
    send("b")
    clock.advance(by: .milliseconds(30))
    #expect(try await iterator.next() == "a")
    clock.runReady()
    #expect(clock.nextDeadline == .at(40), "upstream is asked again")
    clock.advance(by: .milliseconds(10))
    #expect(try await iterator.next() == "b", "what came in time is delivered")
    await #expect(throws: TimeoutError(limit: .milliseconds(10))) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test("no time runs while the reader of elements that are always ready lets other tasks run")
  func noTimeInTheirTurn() async throws {
    let count = 200
    let (numbers, input) = AsyncStream.makeStream(of: Int.self)
    for number in 1...count { input.yield(number) }
    input.finish()
    let read = Counter()
    let task = clock.run { [clock] in
      // Ends with the loop below. Whenever the reader waits, two seconds pass.
      async let _: Void = {
        while !Task.isCancelled {
          if read.value > 0 { clock.lapse(by: .seconds(2)) }
          await Task.yield()
        }
      }()
      for try await _ in numbers.timeout(after: .seconds(1), clock: clock) { read.add() }
    }
    try await task.value
    #expect(read.value == count)
  }

  @Test("timeout(after:) releases upstream when time is over, not when the consumer asks")
  func timeoutRelease() async throws {
    var iterator = source.timeout(after: .milliseconds(10), clock: clock).makeAsyncIterator()
    clock.advance(by: .milliseconds(10))
    #expect(source.isReleased)
    do {
      _ = try await iterator.next()
      Issue.record("nothing was thrown")
    } catch {
      #expect(error as? TimeoutError == TimeoutError(limit: .milliseconds(10)))
    }
  }

  // MARK: Chains

  @Test("stand on each other, and release each other")
  func chain() async throws {
    var iterator: _? = source.throttled(every: .milliseconds(10), clock: clock)
      .batched(BatchLimit(maximumCount: 2), clock: clock).makeAsyncIterator()
    send("a", "b", "c")
    clock.advance(by: .milliseconds(10))
    #expect(try await iterator?.next() == ["a", "c"])
    send("d")
    #expect(clock.pendingCount == 1)
    iterator = nil
    #expect(clock.pendingCount == 0)
    clock.runReady()
    #expect(source.isReleased)
    _ = iterator
  }

  /// Answers when the test says so, also to a task that is cancelled.
  private struct Deaf: AsyncSequence, Sendable {
    let answer: OneShot<Int>
    let burden: Burden

    struct Iterator: AsyncIteratorProtocol {
      let upstream: Deaf

      mutating func next() async -> Int? { await upstream.answer.outcome() }
    }

    func makeAsyncIterator() -> Iterator { Iterator(upstream: self) }
  }

  @Test("an upstream that ignores the cancellation of a chain is released when it answers")
  func deafUpstream() async {
    let (released, answer) = (Counter(), OneShot<Int>())
    func start() -> Task<Int, any Error> {
      let upstream = Deaf(answer: answer, burden: Burden("upstream") { released.add() })
      let chain = upstream.throttled(every: .seconds(1), clock: clock)
        .timeout(after: .seconds(9), clock: clock)
      return clock.run {
        for try await _ in chain { return 1 }
        return 0
      }
    }
    let task = start()
    task.cancel()
    clock.runReady()
    #expect((try? await task.value) == 0, "the consumer does not wait for it")
    #expect(released.value == 0 && clock.pendingCount == 0)
    answer.resolve(1)
    clock.runReady()
    #expect(released.value == 1)
  }

  @Test("an error passes through a chain")
  func chainedError() async {
    var iterator = debounced().timeout(after: .seconds(1), clock: clock)
      .batched(BatchLimit(maximumCount: 2), clock: clock).makeAsyncIterator()
    finish(throwing: Fault())
    await #expect(throws: Fault()) { try await iterator.next() }
  }
}
