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
/// As for every ``CallingTool``, which declares the other verbs.
public final class AsyncThrottler<Input: Sendable, Output: Sendable>: CallTool {
  let pacer: ValuePacer

  /// Creates an async throttler.
  ///
  /// - Parameters:
  ///   - interval: The length of a window.
  ///   - edges: The ends of a window that run.
  ///   - rule: A closure that returns the length of the window that a given call opens, or nil for
  ///     `interval`; called on the caller's thread.
  ///   - tolerance: The maximum extra delay of a run, so that timers can share a wake.
  ///   - overlap: What happens when a call is due while the operation runs.
  ///   - clock: The throttler's clock.
  ///   - operation: The operation; it should respond to the cancellation of its task.
  public init(
    every interval: Duration, edges: Edges = .both,
    varying rule: (@Sendable (Input) -> Duration?)? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, clock: any Clock<Duration> = .dispatch,
    operation: @escaping @Sendable (Input) async throws -> Output
  ) {
    pacer = ValuePacer(
      .throttle(interval, edges: edges), of: Job.self, varying: rule, tolerance: tolerance,
      service: clock.service)
    run(overlap, operation)
  }

  deinit { pacer.abandon() }

  /// Requests a run that opens a window of `interval`, and waits for the outcome.
  ///
  /// - Returns: The operation's result for this call, or why it did not run.
  /// - Throws: The operation's error.
  public func call(_ input: Input, every interval: Duration) async throws -> CallOutcome<Output> {
    try await outcome(of: Job(input), waiting: interval)
  }

  /// Withdraws every call that has not begun, closes the window, and returns the newest input; the
  /// callers get `cancelled`.
  @discardableResult
  public func reset() -> Input? { pacer.reset()?.get(Job.self).input }

  /// The length of a window; a change applies to later calls.
  public var interval: Duration {
    get { Duration.nanoseconds(pacer.settings.wait) }
    set { pacer.settings.wait = Nanoseconds(wait: newValue) }
  }

  /// The ends of a window that run; a change applies to later calls.
  public var edges: Edges {
    get { pacer.settings.edges }
    set { pacer.settings.edges = newValue }
  }
}
