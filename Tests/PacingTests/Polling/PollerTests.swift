import PacingTesting
import TestSupport
import Testing

@testable import Pacing

@Suite("Poller: life and forms")
struct PollerTests {
  typealias Flaky = RetryScene.Flaky

  let clock = ManualClock()
  let polled = EventRecorder<Int>()
  let handled = EventRecorder<Int>()

  func poller(_ schedule: PollSchedule, takes: Duration = .zero) -> Poller<Int> {
    Poller(schedule, clock: clock) { [polled, clock] in
      polled.record(clock.now.milliseconds)
      if takes > .zero { try await clock.sleep(for: takes) }
      return 1
    }.handle { [handled] in
      handled.record($0.tick.index)
    }
  }

  @Test("is idle until it starts; suspends, resumes, and takes another period")
  func life() {
    let poller = poller(PollTests.every(5))
    clock.advance(by: .seconds(20))
    #expect(polled.values.isEmpty && poller.state == .idle && !poller.isPolling)
    #expect(poller.start() && !poller.start())
    clock.advance(by: .seconds(6))
    #expect(polled.values == [20_000, 25_000])
    #expect(poller.nextDeadline == .at(30_000))
    #expect(poller.suspend() && poller.state == .suspended)
    clock.advance(by: .seconds(60))
    #expect(polled.values.count == 2 && clock.pendingCount == 0)
    #expect(poller.resume())
    clock.advance(by: .seconds(5))
    #expect(polled.values.last == 91_000)
    #expect(poller.suspend() && poller.resume(pollingNow: true))
    clock.advance(by: .zero)
    #expect(polled.values.count == 4)
    #expect(poller.reschedule(every: .seconds(1)))
    clock.advance(by: .seconds(2))
    #expect(polled.values.suffix(2) == [92_000, 93_000])
    #expect(handled.values == Array(0..<6))
    #expect(poller.cancel() && !poller.cancel())
    #expect(poller.end == .cancelled && poller.state == .finished && !poller.pollNow())
    #expect(clock.pendingCount == 0)
  }

  @Test("any number of requests during a poll make one more")
  func pollNow() {
    let poller = poller(PollTests.every(5), takes: .seconds(2))
    poller.start()
    clock.advance(by: .seconds(1))
    for _ in 0..<5 { #expect(poller.pollNow()) }
    clock.advance(by: .seconds(4))
    #expect(polled.values == [0, 2000, 5000])
    poller.cancel()
    clock.runReady()
  }

  @Test("what is due when it is suspended still polls, what is due when it is cancelled does not")
  func late() {
    for isCancelled in [false, true] {
      let scene = PollerTests()
      let poller = scene.poller(PollTests.every(5))
      poller.start()
      scene.clock.advance(by: .zero)
      scene.clock.lapse(by: .seconds(5))
      if isCancelled { poller.cancel() } else { poller.suspend() }
      scene.clock.advance(by: .zero)
      #expect(scene.polled.values == (isCancelled ? [0] : [0, 5000]))
    }
  }

  @Test("four pollers on a limit without a queue miss polls, and none of them ends")
  func limit() {
    let bucket = TokenBucket(
      rate: .perSecond(2), burst: 1, queue: QueuePolicy(maximumWaiters: 0), clock: clock)
    let schedule = PollTests.every(1).limited(by: bucket)
    let pollers = (0..<4).map { _ in poller(schedule) }
    for poller in pollers { poller.start() }
    clock.advance(by: .seconds(100))
    for poller in pollers {
      #expect(poller.isPolling && poller.end == nil)
    }
    #expect(polled.values.count == 101)
    #expect(bucket.statistics.granted == 101 && bucket.statistics.refused == 4 * 101 - 101)
    bucket.close()
    clock.advance(by: .seconds(1))
    #expect(pollers.allSatisfy { $0.end == .closed && !$0.isPolling })
    #expect(clock.pendingCount == 0)
  }

  /// Grants every second call; the others fail with an error of its own.
  private struct Moody: AwaitableLimit {
    let isCancellation: Bool
    let calls = Counter()

    func acquire(_ cost: Int, within timeout: Duration?) async throws {
      guard calls.add().isMultiple(of: 2) else { return }
      throw isCancellation ? CancellationError() : PermanentError(Moody.Failure())
    }

    struct Failure: Error {}
  }

  @Test(
    "another error of a limit is a missed poll, a foreign cancellation too",
    arguments: [false, true])
  func foreignErrors(isCancellation: Bool) {
    let moody = Moody(isCancellation: isCancellation)
    let missed = EventRecorder<Int>()
    let poller = Poller(PollTests.every(1).limited(by: moody), clock: clock) { [polled, clock] in
      polled.record(clock.now.milliseconds)
    }.handle { missed.record($0.tick.missed) }
    poller.start()
    clock.advance(by: .seconds(9))
    #expect(moody.calls.value == 10 && missed.values == [0, 1, 1, 1, 1])
    #expect(poller.isPolling && poller.end == nil)
    #expect(polled.values == [0, 2000, 4000, 6000, 8000])
  }

  @Test("an aligned schedule follows a wall clock that is set")
  func wallClock() {
    // 40 s past a full minute, then 50.
    clock.wallTime = .seconds(1_000_000)
    let poller = poller(PollSchedule(every: .seconds(60), first: .aligned))
    poller.start()
    clock.runReady()
    clock.wallTime = .seconds(1_000_010)
    clock.advance(by: .seconds(31))
    #expect(polled.values == [10_000])
    poller.cancel()
    clock.runReady()
    #expect(clock.pendingCount == 0)
  }

  @Test("ends with its reason after the last handler")
  func end() {
    let poller = Poller<Int>.scheduled(PollTests.every(5), clock: clock) {
      throw PermanentError(Flaky())
    } handler: { [handled] poll in
      handled.record(poll.failures)
    }
    clock.advance(by: .zero)
    #expect(poller.end == .permanent && !poller.isPolling && !poller.cancel())
    #expect(handled.values == [1] && clock.pendingCount == 0)
  }

  @Test("a poller that is made running polls")
  func scheduled() async {
    let poller = Poller.scheduled(PollTests.every(5), clock: clock) {
      1
    } handler: { [handled] poll in
      handled.record(poll.value ?? -1)
    }
    clock.advance(by: .seconds(5))
    #expect(handled.values == [1, 1])
    await poller.cancelAndWait()
  }

  @Test("its results come as a stream too, which ends with it; a slow reader gets the newest")
  func ticks() async {
    let poller = poller(PollTests.every(5))
    let results = poller.ticks()
    poller.start()
    clock.advance(by: .seconds(10))
    var iterator = results.makeAsyncIterator()
    #expect(await iterator.next()?.tick.index == 2)
    poller.cancel()
    #expect(await iterator.next() == nil)
    #expect(handled.values == [0, 1, 2])
    clock.runReady()
  }

  @Test("an async handler puts the next poll off until it has ended")
  func asyncHandler() {
    let clock = ManualClock(isLazy: false, runsHandlers: true)
    let poller = Poller(PollTests.every(5), clock: clock) { [polled, clock] in
      polled.record(clock.now.milliseconds)
    }.handle { [clock] _ in
      try? await clock.sleep(for: .seconds(7))
    }
    poller.start()
    clock.advance(by: .seconds(16))
    #expect(polled.values == [0, 7000, 14_000])
    poller.cancel()
    // The handler that has begun is not interrupted.
    clock.advance(by: .seconds(7))
    #expect(polled.values.count == 3 && clock.pendingCount == 0)
  }

  @Test("dropping it cancels the poll that runs, and no handler begins")
  func dropped() {
    let cancelled = Counter()
    var poller: _? = Poller(PollTests.every(5), clock: clock) { [clock] in
      do { try await clock.sleep(for: .seconds(7)) } catch { cancelled.add() }
      return 1
    }.handle { [handled] in
      handled.record($0.value ?? 0)
    }
    poller?.start()
    clock.advance(by: .seconds(1))
    poller = nil
    clock.advance(by: .seconds(60))
    #expect(cancelled.value == 1 && handled.values == [] && clock.pendingCount == 0)
    _ = poller
  }

  private actor Desk {
    var results = [Int]()
    func take(_ value: Int) { results.append(value) }
  }

  @Test("an actor receives results, and is not kept alive")
  func actorHandler() async {
    var desk: Desk? = Desk()
    weak let weakDesk = desk
    let received = OneShot<Void>()
    let poller = Poller(PollTests.every(5)) {
      3
    }.handle(in: desk!) { desk, poll in
      desk.take(poll.value ?? 0)
      received.resolve(())
    }
    poller.start()
    await received.outcome()
    #expect(await desk!.results == [3])
    await poller.cancelAndWait()
    desk = nil
    #expect(weakDesk == nil)
  }

  @Test("cancelAndWait returns when the handler that runs has ended")
  func cancelAndWait() async {
    let gate = OneShot<Void>()
    let begun = OneShot<Void>()
    let poller = Poller(PollTests.every(5)) {
      1
    }.handle { [handled] _ in
      begun.resolve(())
      await gate.outcome()
      handled.record(1)
    }
    poller.start()
    await begun.outcome()
    async let cancelled: Void = poller.cancelAndWait()
    gate.resolve(())
    await cancelled
    #expect(handled.values == [1])
  }

  @Test("settle waits for a poll whose results go to an actor", arguments: [false, true])
  func settles(isElsewhere: Bool) async {
    let service = Desk()
    for round in Soak.seeds(300) {
      let (clock, desk) = (ManualClock(), Desk())
      let poller = Poller(PollSchedule(every: .milliseconds(10)), clock: clock) {
        if isElsewhere { await service.take(0) }
      }.handle(in: desk) { desk, _ in desk.take(1) }
      poller.start()
      for count in 1...5 {
        clock.advance(by: .milliseconds(10))
        await clock.settle()
        #expect(await desk.results.count >= count, "round \(round)")
      }
      poller.cancel()
    }
  }

  @Test("a result that no handler takes is reported")
  func dropped() async {
    let dropped = EventRecorder<String>()
    let poller = Poller<Int>(PollTests.every(5), clock: clock) { 1 }
    poller.onDrop { dropped.record("\($0.tick.index) \($1)") }
    poller.start()
    clock.advance(by: .seconds(5))
    await clock.settle()
    #expect(dropped.values == ["0 \(DropReason.noConsumer)", "1 \(DropReason.noConsumer)"])
    withExtendedLifetime(poller) {}
  }
}
