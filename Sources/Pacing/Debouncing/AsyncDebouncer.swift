/// Debounces calls of an async operation: runs it for the last call of a burst, and answers every
/// caller.
///
/// Use it if the caller needs the result: a lookup while the user types, a check before saving. Use
/// a ``Debouncer`` with an async handler if no caller waits for the result.
///
/// ```swift
/// let lookup = AsyncDebouncer<String, [Hit]>(for: .milliseconds(300)) { query in
///   try await search(query)
/// }
/// if let hits = try await lookup.call("swift").value { show(hits) }
/// ```
///
/// A quiet period of three steps, an operation that takes two:
///
///     called      a-b---------
///     run         -----b------
///     superseded  --a---------
///     executed    -------b----
///
/// ## Timing
/// As for a ``Debouncer``.
///
/// ## Concurrency
/// As for every ``CallingTool``, which also declares `flush()`, `cancel()`, `finish(_:)` and the
/// other verbs.
public final class AsyncDebouncer<Input: Sendable, Output: Sendable>: CallingTool {
  private let pacing: CallPacing<DebounceState, Input, Output>

  init(
    _ timing: DebounceState, varying wait: Rules<Input>.Wait?, tolerance: Duration,
    answering: Answering, clock: any PacingClock, operation: Handler<Call<Input, Output>>?
  ) {
    pacing = CallPacing(
      timing, varying: wait, tolerance: tolerance, answering: answering,
      clock: clock, operation: operation)
  }

  /// The tool's implementation, for the library only.
  public var _core: _CallingCore<Input, Output> { _CallingCore(pacer: pacing) }

  /// Requests a run after a quiet period of `wait`, and waits for the outcome.
  ///
  /// - Returns: The operation's result for this call, or why it did not run.
  /// - Throws: The operation's error.
  public func call(_ input: Input, for wait: Duration) async throws -> CallOutcome<Output> {
    try await pacing.call(input, waiting: Nanoseconds(wait: wait))
  }

  /// The quiet period; a change applies to later calls.
  public var wait: Duration {
    get { pacing.pacer.wait }
    set { pacing.pacer.wait = newValue }
  }

  /// The longest a call waits, as in a ``Debouncer``.
  public var maximumWait: Duration? {
    get { pacing.pacer.maximumWait }
    set { pacing.pacer.maximumWait = newValue }
  }

  /// The ends of a burst that run; a change applies to later calls.
  public var edges: Edges {
    get { pacing.pacer.edges }
    set { pacing.pacer.edges = newValue }
  }
}
