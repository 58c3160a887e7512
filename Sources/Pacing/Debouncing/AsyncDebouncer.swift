/// Debounces calls of an async operation: runs it for the last of a burst, and tells every caller.
///
/// Use it where the caller needs the answer: a lookup while someone types, a check before saving.
/// Use a `Debouncer` with an async handler where nobody waits for the result.
///
/// ```swift
/// let lookup = AsyncDebouncer<String, [Hit]>(for: .milliseconds(300)) { query in
///   try await search(query)
/// }
/// if case .executed(let hits) = try await lookup.call("swift") { show(hits) }
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
/// As for every ``CallingTool``.
public final class AsyncDebouncer<Input: Sendable, Output: Sendable>: CallingTool {
  private let pacing: CallPacing<DebounceState, Input, Output>

  init(
    _ timing: DebounceState, tolerance: Duration, clock: some PacingClock,
    handler: Handler<Call<Input, Output>>
  ) {
    pacing = CallPacing(timing, tolerance: tolerance, clock: clock, handler: handler)
  }

  /// What the tool stands on; there is nothing to do with it.
  public var core: CallingCore<Input, Output> { CallingCore(pacer: pacing) }
}
