import Pacing
import PacingTesting
import TestSupport

/// A retry on virtual time, with all calls of its policy's hooks as text.
final class RetryScene: Sendable {
  struct Flaky: Error, Equatable { var number = 0 }

  let clock = ManualClock()
  let trace = EventRecorder<String>()
  let ends = EventRecorder<GiveUp>()

  /// The policy with hooks that write the trace.
  func traced(_ policy: RetryPolicy) -> RetryPolicy {
    policy
      .beforeAttempt { [trace, clock] attempt in
        trace.record("\(clock.now): \(attempt.number) after \(attempt.delay)")
      }
      .afterAttempt { [trace, clock] report in
        let end = report.isSuccess ? "succeeded" : report.error.map { "\($0)" } ?? "not accepted"
        let next = report.next.map { ", next \($0.number) after \($0.delay)" } ?? ""
        trace.record("\(clock.now): \(report.attempt.number) \(end) in \(report.duration)\(next)")
      }
  }

  /// A policy whose end is recorded.
  func policy(
    _ backoff: Backoff = .constant(.milliseconds(100)), attempts: Int? = nil,
    maximumDuration: Duration? = nil, attemptTimeout: Duration? = nil,
    retryIf: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) -> RetryPolicy {
    RetryPolicy(
      backoff: backoff, maximumAttempts: attempts, maximumDuration: maximumDuration,
      attemptTimeout: attemptTimeout, retryIf: retryIf,
      onGiveUp: { [ends, trace, clock] end in
        ends.record(end)
        let needed = end.neededDelay.map { ", needed \($0)" } ?? ""
        trace.record(
          "\(clock.now): \(end.reason) after \(end.attempts) in \(end.elapsed)\(needed)")
      })
  }

  /// Advances the clock to the end of each wait of a task, and returns the waits.
  func passWaits(_ count: Int) async -> [Duration] {
    var waits = [Duration]()
    for _ in 0..<count {
      await clock.sleepers(atLeast: 1)
      let start = clock.now
      clock.advance(to: clock.nextDeadline!)
      waits.append(start.duration(to: clock.now))
    }
    return waits
  }

  /// Runs a retry with closures to its end; `attempt` specifies the duration and result of each
  /// attempt.
  ///
  /// - Returns: The result of the completion; nil if it was not called.
  func run<Success: Sendable>(
    _ policy: RetryPolicy,
    attempt: @escaping @Sendable (Attempt) -> (lasts: Duration, Result<Success, any Error>)
  ) -> Result<Success, any Error>? {
    let outcome = Slot<Result<Success, any Error>>()
    let timers = EventRecorder<DispatchTimer>()
    let handle = retry(policy, clock: clock) { [clock] number, finish in
      let (duration, result) = attempt(number)
      timers.record(.scheduled(after: duration, clock: clock) { finish(result) })
    } completion: {
      outcome.put($0)
    }
    clock.runReady()
    while let next = clock.nextDeadline { clock.advance(to: next) }
    handle.cancel()
    return outcome.value
  }
}
