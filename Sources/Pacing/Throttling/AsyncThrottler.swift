/// Throttles calls of an async operation: runs it at most once in each window, and tells every
/// caller.
///
/// Use it where the caller needs the answer: a status that many ask for, a save that reports
/// success. Use a `Throttler` with an async handler where nobody waits for the result.
///
/// ```swift
/// let status = AsyncThrottler<Void, Status>(every: .seconds(5)) { try await fetchStatus() }
/// let outcome = try await status.call()
/// ```
///
/// A window of four steps, an operation that takes two:
///
///     called      a-bc--------
///     run         a---c-------
///     superseded  ---b--------
///     executed    --a---c-----
///
/// ## Timing
/// As for a ``Throttler``.
///
/// ## Concurrency
/// As for every ``CallingTool``.
public final class AsyncThrottler<Input: Sendable, Output: Sendable>: CallingTool {
  private let pacing: CallPacing<ThrottleState, Input, Output>

  init(
    _ timing: ThrottleState, tolerance: Duration, clock: some PacingClock,
    handler: Handler<Call<Input, Output>>
  ) {
    pacing = CallPacing(timing, tolerance: tolerance, clock: clock, handler: handler)
  }

  /// What the tool stands on; there is nothing to do with it.
  public var core: CallingCore<Input, Output> { CallingCore(pacer: pacing) }
}
