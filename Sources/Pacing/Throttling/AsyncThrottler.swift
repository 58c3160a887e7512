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
/// As for every ``CallingTool``; from there come `flush()`, `cancel()`, `finish(_:)` and the other
/// verbs.
public final class AsyncThrottler<Input: Sendable, Output: Sendable>: CallingTool {
  private let pacing: CallPacing<ThrottleState, Input, Output>

  init(
    _ timing: ThrottleState, varying wait: Rules<Input>.Wait?, tolerance: Duration,
    clock: any PacingClock, handler: Handler<Call<Input, Output>>
  ) {
    pacing = CallPacing(
      timing, varying: wait, tolerance: tolerance, clock: clock, handler: handler)
  }

  /// What the tool stands on; there is nothing to do with it.
  public var _core: _CallingCore<Input, Output> { _CallingCore(pacer: pacing) }

  /// Asks for the operation to be run, which opens a window of this call's own length, and waits
  /// for what becomes of that.
  ///
  /// - Returns: What the operation returned for this call, or why it was not run.
  /// - Throws: What the operation threw.
  public func call(_ input: Input, every interval: Duration) async throws -> CallOutcome<Output> {
    try await pacing.call(input, waiting: Nanoseconds(wait: interval))
  }

  /// Withdraws every call that has not begun, and closes the window; the callers are told
  /// `cancelled`.
  ///
  /// - Returns: The newest input withdrawn, nil where there was none.
  @discardableResult
  public func reset() -> Input? {
    pacing.pacer.withdraw { $0.withdraw { $0.reset() } }.last?.input
  }

  /// How long a window is; a new one counts for the calls that are made from then on.
  public var interval: Duration {
    get { pacing.pacer.wait }
    set { pacing.pacer.wait = newValue }
  }

  /// Which end of a window is run; new ones count for the calls that are made from then on.
  public var edges: Edges {
    get { pacing.pacer.edges }
    set { pacing.pacer.edges = newValue }
  }
}
