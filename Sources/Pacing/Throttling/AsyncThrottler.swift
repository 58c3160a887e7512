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
  /// `overlap` is for a call that is due while the operation runs, and the operation should respond
  /// to the cancellation of its task. The other parameters are those of a ``Throttler``.
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

  /// Requests a run as `call(_:)` does, which opens a window of `interval`.
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
