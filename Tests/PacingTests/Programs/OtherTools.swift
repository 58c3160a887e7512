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

/// A timer that is scheduled attempt by attempt.
struct AttemptTool: ProgramTool {
  let tool: RetryTimer
  let takesValues = false

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .start: tool.scheduleNext()
    case .flush: tool.scheduleNext(after: .milliseconds(number))
    case .fire: tool.attemptNow()
    case .enable: tool.succeeded()
    case .reset: tool.reset()
    case .cancel: tool.cancel()
    default: break
    }
  }

  func consumer(slow pause: Duration, on clock: ManualClock) -> ProgramTask? {
    reading(tool.ticks(), slow: pause, on: clock)
  }
}

struct PollTool: ProgramTool {
  let tool: Poller
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
  let takesValues = false
  private let clock: ManualClock
  private let held = Counter()
  private let kept = Locked([Permit]())

  init(tool: ConcurrencyLimit, clock: ManualClock) {
    (self.tool, self.clock) = (tool, clock)
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
      permit.release()
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
    held.value <= tool.count && held.value <= tool.heldCount && tool.heldCount <= tool.count
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
