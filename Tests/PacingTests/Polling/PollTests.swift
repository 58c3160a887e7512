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
  ) async -> [PollResult<Int>] {
    let number = Counter()
    let stream = schedule.results(clock: clock, judging: judging) { [polled, clock] in
      let number = number.add() - 1
      polled.record(clock.now.milliseconds)
      try await poll(number)
      return number
    }
    var results = [PollResult<Int>]()
    for await result in stream.prefix(count) { results.append(result) }
    return results
  }

  /// Advances the clock past `waits` waits.
  func pass(_ waits: Int) async {
    for _ in 0..<waits {
      await clock.sleepers(atLeast: 1)
      clock.advance(to: clock.nextDeadline!)
    }
  }

  static func every(
    _ seconds: Int, jitter: Duration = .zero, slowing backoff: Backoff = .none
  ) -> PollSchedule {
    PollSchedule(every: .seconds(seconds), jitter: jitter, slowing: backoff, seed: 1)
  }

  @Test("polls at once, and then on its grid")
  func grid() async {
    async let passed: Void = pass(3)
    let results = await results(4, Self.every(5)) { _ in }
    await passed
    #expect(polled.values == [0, 5000, 10_000, 15_000])
    #expect(results.map(\.tick.index) == [0, 1, 2, 3])
    #expect(results.allSatisfy { $0.failures == 0 && $0.tick.missed == 0 })
    #expect(results.compactMap(\.value) == [0, 1, 2, 3])
    #expect(clock.pendingCount == 0)
  }

  @Test("never overlaps: what falls due while a poll runs is missed, and the grid stays")
  func overlap() async {
    async let passed: Void = pass(3)
    let clock = clock
    let results = await results(3, Self.every(5)) { number in
      // A bit longer than two periods, and then exactly one.
      if number < 2 { try await clock.sleep(for: .seconds(number == 0 ? 12 : 5)) }
    }
    await passed
    #expect(polled.values == [0, 15_000, 20_000])
    #expect(results.map(\.tick.index) == [0, 3, 4])
    #expect(results.map(\.tick.missed) == [0, 2, 0])
    #expect(results.map(\.tick.scheduled) == [.at(0), .at(15_000), .at(20_000)])
  }

  @Test("slower on failure, by the backoff, never faster than the period, and well after a success")
  func failures() async {
    let backoff = Backoff.exponential(from: .seconds(4)).capped(at: .seconds(20))
    async let passed: Void = pass(7)
    let results = await results(8, Self.every(5, slowing: backoff)) { number in
      if (1...4).contains(number) { throw Flaky(number: number) }
    }
    await passed
    // Delays of 4, 8, 16 and 20 seconds, of which the first is shorter than the period.
    #expect(polled.values == [0, 5_000, 10_000, 18_000, 34_000, 54_000, 59_000, 64_000])
    #expect(results.map(\.failures) == [0, 1, 2, 3, 4, 0, 0, 0])
    #expect(results.map(\.tick.index) == Array(0..<8))
  }

  @Test("obeys the server's hint, after an error and after a result")
  func hints() async {
    async let passed: Void = pass(4)
    let results = await results(
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
    await passed
    #expect(polled.values == [0, 7_000, 24_000, 29_000, 34_000])
    #expect(results.map(\.failures) == [1, 0, 0, 1, 0])
  }

  @Test("a hint of zero means the backoff")
  func zeroHint() async {
    async let passed: Void = pass(2)
    _ = await results(3, Self.every(5, slowing: .exponential(from: .seconds(10)))) { _ in
      throw RetryPolicyTests.Busy(.retry(after: .zero))
    }
    await passed
    #expect(polled.values == [0, 10_000, 30_000])
  }

  @Test("ends after a permanent failure, a refused hint, and the backoff's end", arguments: 0..<3)
  func ends(way: Int) async {
    let errors: [any Error] = [
      PermanentError(Flaky()), RetryPolicyTests.Busy(.retry(after: .seconds(60))), Flaky(),
    ]
    let backoff = way == 2 ? Backoff.list([]) : .constant(.seconds(1))
    let schedule = Self.every(5, slowing: backoff).obeying(.refused(above: .seconds(30)))
    let results = await results(9, schedule) { _ in throw errors[way] }
    #expect(results.count == 1)
    #expect(clock.pendingCount == 0)
  }

  @Test("scatters its polls after the grid, which stays; the same with a seed")
  func jitter() async {
    var runs = [[Int]]()
    for run in [self, PollTests()] {
      async let passed: Void = run.pass(40)
      _ = await run.results(40, Self.every(5, jitter: .seconds(1))) { _ in }
      await passed
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
  func limit() async {
    let bucket = TokenBucket(rate: .every(.seconds(8)), burst: 1, clock: clock)
    async let passed: Void = pass(4)
    _ = await results(3, Self.every(5).limited(by: bucket)) { _ in }
    await passed
    #expect(polled.values == [0, 8000, 16_000])
  }

  @Test("pollers may share a rate as `any` limit")
  func anyLimit() async {
    let limiter = RateLimiter(.slidingWindow(1, per: .seconds(8)), clock: clock)
    async let passed: Void = pass(4)
    _ = await results(3, Self.every(5).limited(by: limiter)) { _ in }
    await passed
    #expect(polled.values == [0, 8000, 16_000])
  }

  @Test("a slow consumer polls less, and nothing is polled ahead of it")
  func slowConsumer() async {
    let number = Counter()
    var polls = Self.every(5).results(clock: clock) { number.add() }.makeAsyncIterator()
    #expect(await polls.next()?.tick.index == 0)
    clock.advance(by: .seconds(18))
    #expect(number.value == 1)
    #expect(clock.pendingCount == 0)
    let late = await polls.next()
    #expect(late?.tick.index == 1, "the overdue one, and then back to the grid")
    async let passed: Void = pass(1)
    let next = Tick(index: 4, scheduled: .at(20_000), actual: .at(20_000), missed: 2)
    #expect(await polls.next()?.tick == next)
    await passed
  }

  @Test("ends with its task: while it waits, and while it polls", arguments: [0, 1])
  func cancelled(while place: Int) async {
    let clock = clock
    let task = Task {
      await results(9, Self.every(5)) { _ in
        if place == 1 { try await clock.sleep(for: .seconds(1)) }
      }
    }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    #expect(await task.value.count == 1 - place)
    #expect(clock.pendingCount == 0)
  }

  @Test("two who read one stream poll one at a time")
  func twoReaders() async {
    let (running, most) = (Counter(), EventRecorder<Int>())
    let clock = clock
    let stream = Self.every(1).results(clock: clock) {
      most.record(running.add())
      try await clock.sleep(for: .milliseconds(600))
      running.add(-1)
    }
    async let passed: Void = pass(11)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask { for await _ in stream.prefix(3) {} }
      }
    }
    await passed
    #expect(most.values == [1, 1, 1, 1, 1, 1])
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

  @Test("a second reader that is cancelled stops waiting for its turn, and the stream ends with it")
  func cancelledReader() {
    let stream = PollSchedule(every: .seconds(3_600)).results(clock: clock) { 1 }
    let results = Counter()
    let ended = Counter()
    let tasks = (0..<3).map { _ in
      clock.run {
        var iterator = stream.makeAsyncIterator()
        while await iterator.next() != nil { results.add() }
        ended.add()
      }
    }
    clock.runReady()
    #expect(results.value == 1)
    tasks[1].cancel()
    clock.runReady()
    #expect(ended.value == 1)
    clock.advance(by: .seconds(7_200))
    #expect(ended.value == 3 && clock.pendingCount == 0)
  }
}
