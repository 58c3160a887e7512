/// Debounces calls of an async operation: runs it for the last of a burst, and tells every caller.
///
/// Use it where the caller needs the answer: a lookup while someone types, a check before saving.
/// Use a `Debouncer` with an async handler where nobody waits for the result.
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
/// As for every ``CallingTool``; from there come `flush()`, `cancel()`, `finish(_:)` and the other
/// verbs.
public final class AsyncDebouncer<Input: Sendable, Output: Sendable>: CallingTool {
  private let pacing: CallPacing<DebounceState, Input, Output>

  init(
    _ timing: DebounceState, varying wait: Rules<Input>.Wait?, tolerance: Duration,
    clock: any PacingClock, handler: Handler<Call<Input, Output>>
  ) {
    pacing = CallPacing(
      timing, varying: wait, tolerance: tolerance, clock: clock, handler: handler)
  }

  /// What the tool stands on; there is nothing to do with it.
  public var _core: _CallingCore<Input, Output> { _CallingCore(pacer: pacing) }

  /// Asks for the operation to be run after a quiet period of this call's own, and waits for what
  /// becomes of that.
  ///
  /// - Returns: What the operation returned for this call, or why it was not run.
  /// - Throws: What the operation threw.
  public func call(_ input: Input, for wait: Duration) async throws -> CallOutcome<Output> {
    try await pacing.call(input, waiting: Nanoseconds(wait: wait))
  }

  /// How long it must be quiet; a new one counts for the calls that are made from then on.
  public var wait: Duration {
    get { pacing.pacer.wait }
    set { pacing.pacer.wait = newValue }
  }

  /// How long a call waits at the most, as in a ``Debouncer``.
  public var maximumWait: Duration? {
    get { pacing.pacer.maximumWait }
    set { pacing.pacer.maximumWait = newValue }
  }

  /// Which end of a burst is run; new ones count for the calls that are made from then on.
  public var edges: Edges {
    get { pacing.pacer.edges }
    set { pacing.pacer.edges = newValue }
  }
}
