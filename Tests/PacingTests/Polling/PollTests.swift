import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Polling")
struct PollTests {
  typealias Flaky = RetryScene.Flaky

  let clock = ManualClock()
  let polled = EventRecorder<Int>()

  /// Reads the results of `count` polls.
  func results(
    _ count: Int, _ schedule: PollSchedule,
    judging: @escaping @Sendable (Int) -> RetryAdvice? = { _ in nil },
    _ poll: @escaping @Sendable (Int) async throws -> Void
  ) -> [PollResult<Int>] {
    let number = Counter()
    let stream = schedule.results(clock: clock, judging: judging) { [polled, clock] in
      let number = number.add() - 1
      polled.record(clock.now.milliseconds)
      try await poll(number)
      return number
    }
    let results = EventRecorder<PollResult<Int>>()
    let reader = clock.run {
      for await result in stream.prefix(count) { results.record(result) }
    }
    while results.values.count < count, let next = clock.nextDeadline { clock.advance(to: next) }
    reader.cancel()
    clock.runReady()
    return results.values
  }

  static func every(
    _ seconds: Int, jitter: Duration = .zero, slowing backoff: Backoff = .none
  ) -> PollSchedule {
    PollSchedule(every: .seconds(seconds), jitter: jitter, slowing: backoff, seed: 1)
  }

  @Test("polls at once, and then on its grid")
  func grid() {
    let results = results(4, Self.every(5)) { _ in }
    #expect(polled.values == [0, 5000, 10_000, 15_000])
    #expect(results.map(\.tick.index) == [0, 1, 2, 3])
    #expect(results.allSatisfy { $0.failures == 0 && $0.tick.missed == 0 })
    #expect(results.compactMap(\.value) == [0, 1, 2, 3])
    #expect(clock.pendingCount == 0)
  }

  @Test("never overlaps: what falls due while a poll runs is missed, and the grid stays")
  func overlap() async {
    let clock = clock
    let results = results(3, Self.every(5)) { number in
      // A bit longer than two periods, and then exactly one.
      if number < 2 { try await clock.sleep(for: .seconds(number == 0 ? 12 : 5)) }
    }
    #expect(polled.values == [0, 15_000, 20_000])
    #expect(results.map(\.tick.index) == [0, 3, 4])
    #expect(results.map(\.tick.missed) == [0, 2, 0])
    #expect(results.map(\.tick.scheduled) == [.at(0), .at(15_000), .at(20_000)])
  }

  @Test("slower on failure, by the backoff, never faster than the period, and well after a success")
  func failures() {
    let backoff = Backoff.exponential(from: .seconds(4)).capped(at: .seconds(20))
    let results = results(8, Self.every(5, slowing: backoff)) { number in
      if (1...4).contains(number) { throw Flaky(number: number) }
    }
    // Delays of 4, 8, 16 and 20 seconds, of which the first is shorter than the period.
    #expect(polled.values == [0, 5_000, 10_000, 18_000, 34_000, 54_000, 59_000, 64_000])
    #expect(results.map(\.failures) == [0, 1, 2, 3, 4, 0, 0, 0])
    #expect(results.map(\.tick.index) == Array(0..<8))
  }

  @Test("obeys the server's hint, after an error and after a result")
  func hints() {
    let results = results(
      5, Self.every(5),
      judging: { number in
        switch number {
        case 1: .retry(after: .seconds(17))
        case 2: .retry(after: .seconds(1))
        case 3: .retry
        default: nil
        }
      }
    ) { number in
      if number == 0 { throw RetryPolicyTests.Busy(.retry(after: .seconds(7))) }
    }
    #expect(polled.values == [0, 7_000, 24_000, 29_000, 34_000])
    #expect(results.map(\.failures) == [1, 0, 0, 1, 0])
  }

  @Test("a hint of zero means the backoff")
  func zeroHint() {
    _ = results(3, Self.every(5, slowing: .exponential(from: .seconds(10)))) { _ in
      throw RetryPolicyTests.Busy(.retry(after: .zero))
    }
    #expect(polled.values == [0, 10_000, 30_000])
  }

  @Test("ends after a permanent failure, and with the backoff's end", arguments: 0..<2)
  func ends(way: Int) {
    let errors: [any Error] = [PermanentError(Flaky()), Flaky()]
    let schedule = Self.every(5, slowing: way == 1 ? .list([]) : .constant(.seconds(1)))
    let results = results(9, schedule) { _ in throw errors[way] }
    #expect(results.count == 1)
    #expect(clock.pendingCount == 0)
  }

  @Test("scatters its polls after the grid, which stays; the same with a seed")
  func jitter() {
    var runs = [[Int]]()
    for run in [self, PollTests()] {
      _ = run.results(40, Self.every(5, jitter: .seconds(1))) { _ in }
      runs.append(run.polled.values)
    }
    #expect(runs[0] == runs[1])
    let offsets = runs[0].enumerated().map { $1 - $0 * 5000 }
    #expect(offsets.allSatisfy { (0...1000).contains($0) })
    #expect(Set(offsets).count > 30)
    let first = offsets.count { $0 < 500 }
    #expect((10...30).contains(first))
  }

  @Test("pollers that share a rate take turns")
  func limit() {
    let bucket = TokenBucket(rate: .every(.seconds(8)), burst: 1, clock: clock)
    _ = results(3, Self.every(5).limited(by: bucket)) { _ in }
    #expect(polled.values == [0, 8000, 16_000])
  }

  @Test("pollers may share a rate as `any` limit")
  func anyLimit() {
    let limiter = RateLimiter(.slidingWindow(1, per: .seconds(8)), clock: clock)
    _ = results(3, Self.every(5).limited(by: limiter)) { _ in }
    #expect(polled.values == [0, 8000, 16_000])
  }

  @Test("a slow consumer receives the newest result")
  func slowConsumer() async {
    let number = Counter()
    var polls = Self.every(5).results(clock: clock) { number.add() }.makeAsyncIterator()
    clock.advance(by: .seconds(18))
    #expect(await polls.next()?.tick.index == 3)
    #expect(number.value == 4)
  }

  @Test("ends with its task: while it waits, and while it polls", arguments: [0, 1])
  func cancelled(while place: Int) {
    let results = Counter()
    let ended = Counter()
    let task = clock.run { [clock] in
      let polls = Self.every(5).results(clock: clock) {
        if place == 1 { try await clock.sleep(for: .seconds(1)) }
      }
      for await _ in polls { results.add() }
      ended.add()
    }
    clock.advance(by: .zero)
    task.cancel()
    clock.runReady()
    #expect(results.value == 1 - place && ended.value == 1)
    #expect(clock.pendingCount == 0)
  }

  @Test("a poller hands each result to its handler, until it is cancelled or dropped")
  func poller() async {
    let handled = EventRecorder<Int>()
    let queue = DispatchQueue(label: "poller")
    var poller: Poller<Int>? = Poller(Self.every(5), clock: clock) {
      [polled, clock] in
      polled.record(clock.now.milliseconds)
      return 7
    }.handle(on: .queue(queue)) { poll in
      dispatchPrecondition(condition: .onQueue(queue))
      handled.record(poll.tick.index)
    }
    poller?.start()
    for _ in 0..<3 {
      clock.runReady()
      await clock.settle()
      clock.runReady()
      clock.advance(to: clock.nextDeadline!)
    }
    await clock.settle()
    #expect(polled.values == [0, 5000, 10_000, 15_000])
    #expect(handled.values == [0, 1, 2, 3])
    #expect(poller?.isPolling == true)
    #expect(poller?.cancel() == true)
    #expect(poller?.cancel() == false)
    #expect(poller?.isPolling == false)
    poller = nil
  }

  @Test("a handler that was handed to its queue and has not begun does not begin after a cancel")
  func cancelledBeforeTheHandler() async {
    let queue = DispatchQueue(label: "held")
    queue.suspend()
    let handled = Counter()
    let poller = Poller(Self.every(5), clock: clock) {
      [polled, clock] in
      polled.record(clock.now.milliseconds)
    }.handle(on: .queue(queue)) { _ in
      handled.add()
    }
    poller.start()
    clock.runReady()
    #expect(polled.values == [0])
    #expect(poller.cancel() && !poller.isPolling)
    queue.resume()
    await clock.settle()
    clock.advance(by: .seconds(60))
    #expect(handled.value == 0 && clock.pendingCount == 0)
  }

  @Test("a poller polls inside advance, its handler too")
  func inAdvance() {
    let handled = EventRecorder<Int>(clock: clock)
    let poller = Poller.scheduled(Self.every(5), clock: clock) { [polled, clock] in
      polled.record(clock.now.milliseconds)
      // A slow service.
      try await clock.sleep(for: .seconds(6))
    } handler: { poll in
      handled.record(poll.tick.index)
    }
    clock.advance(by: .seconds(17))
    #expect(polled.values == [0, 10_000])
    #expect(handled.values == [0, 2])
    poller.cancel()
    clock.advance(by: .seconds(60))
    #expect(handled.values == [0, 2] && clock.pendingCount == 0)
  }

  @Test("a poller on the main actor, and one that comes to its end")
  @MainActor func mainPoller() async {
    var failures = 0
    await withCheckedContinuation { continuation in
      let slot = Slot<Poller<Int>>()
      slot.put(
        Poller(Self.every(5), clock: clock) {
          throw PermanentError(Flaky())
        }.handle(on: .main) { poll in
          failures = poll.failures
          slot.put(nil)
          continuation.resume()
        })
      slot.value?.start()
      clock.runReady()
    }
    #expect(failures == 1)
    #expect(clock.pendingCount == 0)
  }
}
