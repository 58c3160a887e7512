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
/// As for every ``CallingTool``, which declares the other verbs.
public final class AsyncDebouncer<Input: Sendable, Output: Sendable>: CallTool {
  let pacer: ValuePacer

  /// Creates an async debouncer.
  ///
  /// `overlap` is for a call that is due while the operation runs, and the operation should respond
  /// to the cancellation of its task. The other parameters are those of a ``Debouncer``.
  public init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    varying rule: (@Sendable (Input) -> Duration?)? = nil, tolerance: Duration = .zero,
    overlap: Overlap = .keepLatest, clock: any Clock<Duration> = .dispatch,
    operation: @escaping @Sendable (Input) async throws -> Output
  ) {
    pacer = ValuePacer(
      .debounce(wait, maximumWait: maximumWait, edges: edges),
      of: Job.self, varying: rule, tolerance: tolerance, service: clock.service)
    run(overlap, operation)
  }

  deinit { pacer.abandon() }

  /// Requests a run as `call(_:)` does, after a quiet period of `wait`.
  public func call(_ input: Input, waiting wait: Duration) async throws -> CallOutcome<Output> {
    try await outcome(of: Job(input), waiting: wait)
  }

  /// The quiet period; a change applies to later calls.
  public var wait: Duration {
    get { Duration.nanoseconds(pacer.settings.wait) }
    set { pacer.settings.wait = Nanoseconds(wait: newValue) }
  }

  /// The longest a call waits, as in a ``Debouncer``.
  public var maximumWait: Duration? {
    get { pacer.settings.longestWait }
    set { pacer.settings.longestWait = newValue }
  }

  /// The ends of a burst that run; a change applies to later calls.
  public var edges: Edges {
    get { pacer.settings.edges }
    set { pacer.settings.edges = newValue }
  }
}
