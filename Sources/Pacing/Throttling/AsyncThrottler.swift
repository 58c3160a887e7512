/// Throttles calls of an async operation: runs it at most once per window, and answers every
/// caller.
///
/// Use it if the caller needs the result: a status with many readers, a save that reports success.
/// Use a ``Throttler`` with an async handler if no caller waits for the result.
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
/// As for every ``CallingTool``, which also declares `flush()`, `cancel()`, `finish(_:)` and the
/// other verbs.
public final class AsyncThrottler<Input: Sendable, Output: Sendable>: CallingTool {
  private let pacing: CallPacing<ThrottleState, Input, Output>

  init(
    _ timing: ThrottleState, varying wait: Rules<Input>.Wait?, tolerance: Duration,
    answering: Answering, clock: any PacingClock, operation: Handler<Call<Input, Output>>?
  ) {
    pacing = CallPacing(
      timing, varying: wait, tolerance: tolerance, answering: answering,
      clock: clock, operation: operation)
  }

  /// The tool's implementation, for the library only.
  public var _core: _CallingCore<Input, Output> { _CallingCore(pacer: pacing) }

  /// Requests a run that opens a window of `interval`, and waits for the outcome.
  ///
  /// - Returns: The operation's result for this call, or why it did not run.
  /// - Throws: The operation's error.
  public func call(_ input: Input, every interval: Duration) async throws -> CallOutcome<Output> {
    try await pacing.call(input, waiting: Nanoseconds(wait: interval))
  }

  /// Withdraws every call that has not begun, and closes the window; the callers get `cancelled`.
  ///
  /// - Returns: The newest input withdrawn; nil if there was none.
  @discardableResult
  public func reset() -> Input? {
    pacing.pacer.withdraw { $0.withdraw { $0.reset() } }?.input
  }

  /// The length of a window; a change applies to later calls.
  public var interval: Duration {
    get { pacing.pacer.wait }
    set { pacing.pacer.wait = newValue }
  }

  /// The ends of a window that run; a change applies to later calls.
  public var edges: Edges {
    get { pacing.pacer.edges }
    set { pacing.pacer.edges = newValue }
  }
}
