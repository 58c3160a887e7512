import Pacing
import PacingTesting
import Synchronization
import TestSupport
import Testing

@Suite("RetryTimer")
struct RetryTimerTests {
  /// The attempts made, with their times.
  final class Log: Sendable {
    private let entries = Mutex<[String]>([])
    func append(_ attempt: Attempt, at instant: PacingInstant) {
      entries.withLock { $0.append("\(attempt.number) at \(instant)") }
    }
    var all: [String] { entries.withLock { $0 } }
  }

  let clock = ManualClock()
  let log = Log()

  func timer(healthyPeriod: Duration? = nil) -> RetryTimer {
    RetryTimer(
      backoff: .exponential(from: .seconds(1)), healthyPeriod: healthyPeriod, clock: clock
    ) { [log, clock] in
      log.append($0, at: clock.now)
    }
  }

  @Test("each attempt comes after the next delay, and one that is waited for is not doubled")
  func delays() {
    let timer = timer()
    #expect(timer.scheduleNext() == Attempt(number: 1, delay: .seconds(1)))
    #expect(timer.scheduleNext() == nil)
    #expect(timer.isPending)
    clock.advance(by: .seconds(1))
    #expect(!timer.isPending)
    clock.advance(by: .seconds(10))
    #expect(timer.scheduleNext() == Attempt(number: 2, delay: .seconds(2)))
    clock.advance(by: .seconds(2))
    #expect(log.all == ["1 at 1.0 seconds", "2 at 13.0 seconds"])
    #expect(clock.pendingCount == 0)
  }

  @Test("begins again after a success, which leaves alone what is waited for")
  func succeeded() {
    let timer = timer()
    for _ in 0..<3 {
      timer.scheduleNext()
      clock.advance(by: .seconds(10))
    }
    timer.scheduleNext()
    timer.succeeded()
    #expect(timer.isPending)
    clock.advance(by: .seconds(10))
    #expect(timer.scheduleNext() == Attempt(number: 1, delay: .seconds(1)))
    #expect(log.all.count == 4)
  }

  @Test("cancel withdraws and keeps the position; reset withdraws and begins again")
  func withdrawing() {
    let timer = timer()
    #expect(!timer.cancel())
    #expect(!timer.reset())
    timer.scheduleNext()
    #expect(timer.cancel())
    #expect(timer.scheduleNext()?.number == 2)
    #expect(timer.reset())
    #expect(timer.scheduleNext()?.number == 1)
    #expect(timer.cancel())
    clock.advance(by: .seconds(100))
    #expect(log.all == [])
    #expect(clock.pendingCount == 0)
  }

  @Test("a failure inside the handler schedules the next attempt")
  func reentrant() {
    let box = Mutex<RetryTimer?>(nil)
    let timer = RetryTimer(
      backoff: .exponential(from: .seconds(1)), clock: clock
    ) { [log, clock] attempt in
      log.append(attempt, at: clock.now)
      _ = box.withLock { $0 }?.scheduleNext()
    }
    box.withLock { $0 = timer }
    timer.scheduleNext()
    clock.advance(by: .seconds(15))
    #expect(
      log.all == ["1 at 1.0 seconds", "2 at 3.0 seconds", "3 at 7.0 seconds", "4 at 15.0 seconds"])
    box.withLock { $0 = nil }
  }

  @Test("its stream has every attempt in turn, and ends when the timer is dropped")
  func ticks() async {
    var timer: RetryTimer? = RetryTimer(backoff: .exponential(from: .seconds(1)), clock: clock)
    var ticks = timer!.ticks().makeAsyncIterator()
    timer?.scheduleNext()
    clock.advance(by: .seconds(1))
    #expect(await ticks.next()?.number == 1)
    timer?.scheduleNext()
    timer = nil
    #expect(await ticks.next() == nil)
    #expect(clock.pendingCount == 0)
  }

  @Test("an attempt without a delay is made too, never on the caller's stack")
  func noDelay() {
    let timer = RetryTimer(backoff: .none, clock: clock) { [log, clock] in
      log.append($0, at: clock.now)
    }
    timer.scheduleNext()
    #expect(log.all == [])
    clock.advance(by: .zero)
    #expect(log.all == ["1 at 0.0 seconds"])
  }

  @Test("a backoff that ends has no further attempt, until it begins again")
  func finite() {
    let timer = RetryTimer(backoff: .list([.seconds(1)]), clock: clock)
    #expect(timer.scheduleNext()?.number == 1)
    clock.advance(by: .seconds(1))
    #expect(timer.scheduleNext() == nil)
    #expect(!timer.isPending)
    timer.succeeded()
    #expect(timer.scheduleNext()?.number == 1)
  }

  @Test("a delay that the server named raises the backoff's, which takes its step")
  func hint() {
    let timer = timer()
    #expect(timer.timeRemaining == nil)
    #expect(timer.scheduleNext(after: .seconds(30))?.delay == .seconds(30))
    clock.advance(by: .seconds(10))
    #expect(timer.timeRemaining == .seconds(20))
    #expect(timer.scheduleNext(after: .zero) == nil)
    clock.advance(by: .seconds(20))
    #expect(timer.scheduleNext() == Attempt(number: 2, delay: .seconds(2)))
    timer.cancel()
    #expect(timer.scheduleNext(after: .seconds(-1))?.delay == .seconds(4))
    timer.cancel()
    #expect(timer.scheduleNext(after: .seconds(200_000))?.delay == .seconds(86_400))
    timer.cancel()
    #expect(log.all == ["1 at 30.0 seconds"])
  }

  @Test("makes the attempt that is waited for now, and keeps the backoff")
  func attemptNow() {
    let timer = timer()
    #expect(timer.attemptNow() == nil)
    timer.scheduleNext()
    clock.advance(by: .milliseconds(300))
    #expect(timer.attemptNow() == Attempt(number: 1, delay: .seconds(1)))
    #expect(timer.attemptNow() == nil, "it is decided")
    clock.advance(by: .zero)
    #expect(log.all == ["1 at 0.3 seconds"])
    #expect(clock.pendingCount == 0)
    #expect(timer.scheduleNext() == Attempt(number: 2, delay: .seconds(2)))
  }

  @Test("a machine that is late makes the overdue attempt first, and then schedules")
  func late() {
    let timer = RetryTimer(backoff: .exponential(from: .seconds(1)), clock: clock)
    let ticks = timer.ticks()
    timer.scheduleNext()
    clock.lapse(by: .seconds(5))
    #expect(timer.scheduleNext() == Attempt(number: 2, delay: .seconds(2)))
    withExtendedLifetime(ticks) {}
  }

  @Test("many failures on many threads schedule one attempt")
  func threads() async {
    let timer = RetryTimer(backoff: .none, clock: clock) { [log, clock] in
      log.append($0, at: clock.now)
    }
    let scheduled = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<1000 where timer.scheduleNext() != nil { scheduled.add() } }
      }
    }
    #expect(scheduled.value == 1)
    clock.advance(by: .zero)
    #expect(log.all == ["1 at 0.0 seconds"])
  }

  actor Link {
    private(set) var attempts = [Int]()
    func connect(_ attempt: Attempt) { attempts.append(attempt.number) }
  }

  @Test("an async handler, and one of an actor, make one attempt at a time")
  func asyncHandlers() async {
    let link = Link()
    let timer = RetryTimer(backoff: .constant(.seconds(1)), clock: clock).handle(in: link) {
      link, attempt in link.connect(attempt)
    }
    let other = RetryTimer(backoff: .constant(.seconds(1)), clock: clock).handle { attempt in
      await Task.yield()
      await link.connect(attempt)
    }
    for _ in 0..<2 {
      for each in [timer, other] {
        each.scheduleNext()
        clock.advance(by: .seconds(1))
        await clock.settle()
      }
    }
    #expect(await link.attempts == [1, 1, 2, 2])
  }

  @Test("an attempt that was withdrawn was not healthy")
  func withdrawn() {
    let timer = timer(healthyPeriod: .seconds(60))
    timer.scheduleNext()
    clock.lapse(by: .seconds(1))
    timer.attemptNow()
    #expect(timer.cancel())
    clock.lapse(by: .seconds(60))
    #expect(timer.scheduleNext()?.number == 2)
  }

  @Test("an attempt whose failure was told was not healthy, although the next one was cancelled")
  func cancelledAfterFailure() {
    let timer = timer(healthyPeriod: .seconds(60))
    timer.scheduleNext()
    clock.advance(by: .seconds(1))
    timer.scheduleNext()
    #expect(timer.cancel())
    clock.advance(by: .seconds(100))
    #expect(timer.scheduleNext()?.number == 3)
  }

  @Test("a proposal is outdated once the backoff has moved")
  func proposals() {
    var state = RetryTimerState(.exponential(from: .seconds(1)))
    let first = state.proposal(at: .at(0))
    #expect(state.isCurrent(first))
    _ = state.scheduleNext(first, at: .at(0))
    #expect(!state.isCurrent(first))
    let second = state.proposal(at: .at(0))
    state.succeeded()
    #expect(!state.isCurrent(second))
  }

  @Test("an attempt that no handler takes is reported")
  func dropped() {
    let dropped = EventRecorder<String>()
    let timer = RetryTimer(backoff: .constant(.seconds(1)), clock: clock)
    timer.onDrop { dropped.record("\($0.number) \($1)") }
    timer.scheduleNext()
    clock.advance(by: .seconds(1))
    #expect(dropped.values == ["1 \(DropReason.noConsumer)"])
  }
}
