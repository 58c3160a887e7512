import Pacing
import PacingTesting
import Testing

@testable import TestSupport

/// Timers, limits, operators and waiting tasks, dropped in every state.
@Suite("Leaks: timers, limits and sequences", .timeLimit(.minutes(5)))
struct TimerLeakTests {
  private let clock = ManualClock()
  private let tally = Tally()

  private func expectNothingLeft(_ what: Comment) async {
    clock.advance(by: .zero)
    await tally.allReleased()
    #expect(clock.pendingCount == 0, what)
  }

  @Test("a timer: idle, running, late, suspended, cancelled, over, and with a reader")
  func timers() async {
    let states: [(DispatchTimer) -> Void] = [
      { _ in }, { $0.start() },
      {
        $0.start()
        clock.lapse(by: .seconds(5))
      },
      {
        $0.start()
        $0.suspend()
      },
      {
        $0.start()
        $0.cancel()
      }, { $0.fireNow() },
      {
        $0.start()
        clock.advance(by: .seconds(100))
      },
    ]
    for (index, state) in states.enumerated() {
      weak var timer: DispatchTimer?
      var task: Task<Void, Never>?
      for isRead in [false, true] {
        do {
          let held = tally.burden()
          let new = DispatchTimer(.every(.seconds(1), count: 3), clock: clock) { _ in
            withExtendedLifetime(held) {}
          }
          timer = new
          if isRead {
            let ticks = new.ticks()
            let read = tally.burden()
            task = clock.run {
              for await _ in ticks {}
              withExtendedLifetime(read) {}
            }
          }
          state(new)
        }
        #expect(timer == nil, "state \(index)")
        await expectNothingLeft("state \(index)")
        await task?.value
      }
    }
  }

  @Test("a retry timer: idle, pending, late, decided, cancelled")
  func retryTimers() async {
    let states: [(RetryTimer) -> Void] = [
      { _ in }, { $0.scheduleNext() },
      {
        $0.scheduleNext()
        clock.lapse(by: .seconds(5))
      },
      {
        $0.scheduleNext()
        $0.attemptNow()
      },
      {
        $0.scheduleNext()
        $0.cancel()
      },
    ]
    for (index, state) in states.enumerated() {
      weak var timer: RetryTimer?
      do {
        let held = tally.burden()
        let backoff = Backoff.custom { [held] _ in
          withExtendedLifetime(held) { .seconds(1) }
        }
        let new = RetryTimer(backoff: backoff, clock: clock) { _ in withExtendedLifetime(held) {} }
        timer = new
        state(new)
      }
      #expect(timer == nil, "state \(index)")
      await expectNothingLeft("state \(index)")
    }
  }

  @Test("a bucket: idle, with callers who left, with a reader, closed", arguments: 0..<6)
  func buckets(state: Int) async {
    weak var bucket: TokenBucket?
    var task: Task<Void, Never>?
    do {
      let new = TokenBucket(rate: .perSecond(1), burst: 1, initial: 0, clock: clock)
      bucket = new
      let held = tally.burden()
      switch state {
      case 0: break
      case 1: new.acquire { _ in withExtendedLifetime(held) {} }.cancel()
      case 2:
        _ = new.acquire { _ in withExtendedLifetime(held) {} }
        new.close()
      case 3:
        task = clock.run { [weak new] in
          _ = try? await new?.acquire()
          withExtendedLifetime(held) {}
        }
        task?.cancel()
      case 4:
        let ticks = new.ticks()
        task = clock.run {
          for await _ in ticks {}
          withExtendedLifetime(held) {}
        }
      default:
        let charge = new.acquire { _ in withExtendedLifetime(held) {} }
        clock.advance(by: .seconds(5))
        withExtendedLifetime(charge) {}
      }
      clock.runReady()
    }
    #expect(bucket == nil)
    await expectNothingLeft("state \(state)")
    await task?.value
  }

  @Test("a bucket that callers wait for goes with the last of them")
  func waitedFor() async {
    weak var bucket: TokenBucket?
    do {
      let new = TokenBucket(rate: .perSecond(1), burst: 1, initial: 0, clock: clock)
      bucket = new
      for _ in 0..<3 {
        let held = tally.burden()
        _ = new.acquire { _ in withExtendedLifetime(held) {} }
      }
    }
    #expect(bucket != nil)
    clock.advance(by: .seconds(3))
    #expect(bucket == nil)
    await expectNothingLeft("all were served")
  }

  @Test(
    "an operator whose reader is cancelled, or has let go, lets go of upstream", arguments: 0..<6)
  func operators(kind: Int) async {
    for isCancelled in [true, false] {
      await operate(kind, isCancelled)
      // Unread elements are released with the source.
      await expectNothingLeft("\(kind)")
    }
  }

  private func operate(_ kind: Int, _ isCancelled: Bool) async {
    let source = Source<Burden, Never>()
    let wait = Duration.seconds(1)
    let task: Task<Void, Never>
    switch kind {
    case 0: task = read(source.debounced(for: wait, clock: clock), isCancelled)
    case 1: task = read(source.throttled(every: wait, clock: clock), isCancelled)
    case 2: task = read(source.audited(for: wait, clock: clock), isCancelled)
    case 3: task = read(source.sampled(every: wait, clock: clock), isCancelled)
    case 4: task = read(source.delayed(by: wait, clock: clock), isCancelled)
    default: task = read(source.batched(BatchLimit(maximumDelay: wait), clock: clock), isCancelled)
    }
    for _ in 0..<3 {
      source.send(tally.burden())
      clock.runReady()
    }
    clock.advance(by: wait)
    source.send(tally.burden())
    clock.runReady()
    if isCancelled { task.cancel() }
    clock.advance(by: wait)
    await task.value
    clock.runReady()
    #expect(source.isReleased)
  }

  /// Reads all elements until cancelled, or a single one.
  private func read<Values: AsyncSequence & Sendable>(
    _ values: Values, _ readsAll: Bool
  ) -> Task<Void, Never> {
    let held = tally.burden()
    return clock.run {
      do { for try await _ in values where !readsAll { break } } catch {}
      withExtendedLifetime(held) {}
    }
  }

  @Test("tasks that sleep and retry, also a sequence, cancelled meanwhile", arguments: 0..<3)
  func tasks(kind: Int) async {
    let held = tally.burden()
    let policy = RetryPolicy(backoff: .constant(.seconds(1)), maximumAttempts: nil) { _ in
      withExtendedLifetime(held) { true }
    }
    let task: Task<Void, any Error> = clock.run { [clock, held] in
      defer { withExtendedLifetime(held) {} }
      switch kind {
      case 0: try await clock.sleep(for: .seconds(1))
      case 1: try await retry(policy, clock: clock) { _ in throw TimeoutError.any }
      default:
        let make = { @Sendable () throws -> AsyncStream<Int> in throw TimeoutError.any }
        for try await _ in retrying(policy, clock: clock, make) {}
      }
    }
    clock.runReady()
    task.cancel()
    clock.runReady()
    _ = await task.result
    clock.runReady()
    #expect(clock.pendingCount == 0)
  }
}

extension TimeoutError {
  fileprivate static var any: any Error { ConfigurationError("any", 0, must: "fail") }
}
