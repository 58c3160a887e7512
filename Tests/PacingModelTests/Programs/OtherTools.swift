import Pacing
import PacingTesting
import TestSupport

struct TimerTool: ProgramTool {
  let tool: DispatchTimer
  let takesValues = false

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .start: tool.start()
    case .suspend: tool.suspend(keepingRemaining: number.isMultiple(of: 2))
    case .resume: tool.resume()
    case .reset: tool.reset()
    case .fire: tool.fireNow()
    case .flush: tool.reschedule(every: .milliseconds(number + 1))
    case .cancel: tool.cancel()
    default: break
    }
  }

  func consumer(slow pause: Duration, on clock: ManualClock) -> ProgramTask? {
    reading(tool.ticks(), slow: pause, on: clock)
  }
}

/// Thousands of timers, which are cancelled before they fire.
struct CrowdTool: ProgramTool {
  let clock: ManualClock
  let takesValues = false
  private let timers = Locked([DispatchTimer]())
  private let peaks = Counter()

  init(clock: ManualClock) {
    self.clock = clock
  }

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .start, .take:
      // Two peaks are enough, and take time.
      guard timers.withLock({ $0.count }) < 1_000, peaks.add() <= 2 else { return }
      let more = (0..<600 * number).map { index in
        DispatchTimer.scheduled(.once(after: .seconds(60 + index % 90)), clock: clock) { _ in }
      }
      timers.withLock { $0 += more }
    case .flush, .reset, .suspend, .fire, .finish: thinOut(keeping: 10 + 30 * number)
    case .cancel: thinOut(keeping: .max)
    default: break
    }
  }

  /// Leaves one in so many.
  private func thinOut(keeping stride: Int) {
    let gone = timers.withLock { timers in
      defer { timers = timers.enumerated().filter { ($0.offset + 1) % stride == 0 }.map(\.element) }
      return timers
    }
    for (index, timer) in gone.enumerated() where (index + 1) % stride != 0 { timer.cancel() }
  }
}

/// The attempts that a timer was to make, and those that it makes.
final class AttemptLog: Sendable {
  private struct State {
    /// The attempts that were scheduled and have not begun, and when they are due.
    var open = [(attempt: Attempt, due: PacingInstant, lapses: Int?)]()
    /// The number of the last attempt that was scheduled.
    var number = 0
    var violation: String?
  }

  static let cap = Duration.milliseconds(30)

  private let span: Int
  private let clock: ManualClock
  private let lapses: @Sendable () -> Int?
  private let state = Locked(State())

  init(_ tool: Program.Tool, clock: ManualClock, lapses: @escaping @Sendable () -> Int?) {
    (span, self.clock, self.lapses) = (tool.span, clock, lapses)
  }

  var violation: String? { state.withLock { $0.violation } }

  /// Notes an attempt that was scheduled, `hint` after now at the earliest.
  func scheduled(_ attempt: Attempt?, after hint: Duration) {
    guard let attempt else { return }
    state.withLock { state in
      let wait = min(.milliseconds(span << min(attempt.number - 1, 8)), Self.cap)
      // Each success or healthy time begins with the first again.
      let isNext = attempt.number == state.number + 1 || attempt.number == 1
      if !isNext || attempt.delay != max(wait, hint) {
        state.violation = "\(attempt) after attempt \(state.number), with a hint of \(hint)"
      }
      state.number = attempt.number
      state.open.append((attempt, clock.now.advanced(by: attempt.delay), lapses()))
    }
  }

  /// What is scheduled may begin now.
  func hurried() {
    state.withLock { state in
      for index in state.open.indices {
        state.open[index].due = min(state.open[index].due, clock.now)
      }
    }
  }

  /// What was scheduled is not to begin.
  func cancelled() { state.withLock { $0.open = [] } }

  func begins(_ attempt: Attempt) {
    state.withLock { state in
      let next = state.open.first
      let isLate = next?.lapses != nil && next?.lapses == lapses() && next?.due != clock.now
      guard let next, next.attempt == attempt, next.due <= clock.now, !isLate else {
        state.violation = "\(attempt) at \(clock.now), where \(state.open) are to come"
        return
      }
      state.open.removeFirst()
    }
  }
}

/// A timer that is scheduled attempt by attempt.
struct AttemptTool: ProgramTool {
  let tool: RetryTimer
  let log: AttemptLog
  let takesValues = false

  func perform(_ verb: Program.Verb, _ number: Int) {
    let hint = Duration.milliseconds(number)
    switch verb {
    case .start: log.scheduled(tool.scheduleNext(), after: .zero)
    case .flush: log.scheduled(tool.scheduleNext(after: hint), after: hint)
    case .fire: if tool.attemptNow() != nil { log.hurried() }
    case .succeed: tool.succeeded()
    case .reset:
      tool.reset()
      log.cancelled()
    case .cancel:
      tool.cancel()
      log.cancelled()
    default: break
    }
  }

  func consumer(slow pause: Duration, on clock: ManualClock) -> ProgramTask? {
    reading(tool.ticks(), slow: pause, on: clock)
  }

  func violation(sent: Int) -> String? { log.violation }
}

struct PollTool: ProgramTool {
  let tool: Poller<Void>
  let takesValues = false

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .start: tool.start()
    case .suspend: tool.suspend()
    case .resume: tool.resume(pollingNow: number.isMultiple(of: 2))
    case .fire: tool.pollNow()
    case .flush: tool.reschedule(every: .milliseconds(number + 1))
    case .cancel: tool.cancel()
    default: break
    }
  }
}

final class PermitTool: ProgramTool {
  let tool: ConcurrencyLimit
  /// The most permits that there ever are.
  private let most: Int
  let takesValues = false
  private let clock: ManualClock
  private let held = Counter()
  private let kept = Locked([Permit]())

  init(most: Int, isAdaptive: Bool, clock: ManualClock) {
    tool =
      isAdaptive
      ? ConcurrencyLimit(adaptive: 1...most, startingAt: 1, clock: clock)
      : ConcurrencyLimit(most, clock: clock)
    (self.most, self.clock) = (most, clock)
  }

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .take:
      guard let permit = tool.tryAcquire() else { return }
      held.add()
      kept.withLock { $0.append(permit) }
    case .flush, .reset:
      guard let permit = kept.withLock({ $0.popLast() }) else { return }
      held.add(-1)
      if verb == .reset { permit.drop() } else { permit.release() }
    case .finish: tool.close()
    default: break
    }
  }

  func waiting(_ number: Int) -> ProgramTask? {
    { [tool, held, clock] in
      let timeout = number.isMultiple(of: 2) ? nil : Duration.milliseconds(number)
      try await tool.withPermit(within: timeout) {
        held.add()
        defer { held.add(-1) }
        try await clock.sleep(for: .milliseconds(number))
      }
    }
  }

  /// A permit that was given back, or granted to a waiter that has not run since, is not held here.
  func violation(sent: Int) -> String? {
    held.value <= tool.heldCount && tool.heldCount <= most && (1...most).contains(tool.count)
      ? nil : "\(held.value) permits held, \(tool.heldCount) granted of \(tool.count)"
  }
}

/// Retries of an operation that fails, each in a task of its own.
struct RetryTool: ProgramTool {
  let policy: RetryPolicy
  let clock: ManualClock
  let takesValues = false
  let attempt: @Sendable () -> Void

  func perform(_ verb: Program.Verb, _ number: Int) {}

  func waiting(_ number: Int) -> ProgramTask? {
    { [policy, clock, attempt] in
      try await retry(policy, clock: clock) { made in
        attempt()
        if made.number <= number { throw ProgramFailure() }
      }
    }
  }
}

/// Operators between what is sent and a task that reads.
struct ChainTool: ProgramTool {
  private let input: AsyncStream<Int>.Continuation
  private let body: ProgramTask

  init(_ tool: Program.Tool, clock: ManualClock, receive: @escaping @Sendable (Int) -> Void) {
    let (stream, input) = AsyncStream.makeStream(of: Int.self)
    self.input = input
    let span = Duration.milliseconds(tool.span)
    let pause = Duration.milliseconds(tool.variant % 4)
    body = {
      let paced = stream.throttled(every: span, clock: clock)
        .batched(maximumCount: 3, maximumDelay: span, clock: clock)
      for await batch in paced {
        for number in batch { receive(number) }
        if pause > .zero { try await clock.sleep(for: pause) }
      }
    }
  }

  func ownTask() -> ProgramTask? { body }

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .send: input.yield(number)
    case .finish, .cancel: input.finish()
    default: break
    }
  }
}
