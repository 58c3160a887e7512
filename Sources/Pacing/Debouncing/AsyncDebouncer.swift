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
  /// - Parameters:
  ///   - wait: The quiet period.
  ///   - edges: The ends of a burst that run.
  ///   - maximumWait: The longest a call waits while others keep coming; nil for no limit.
  ///   - rule: A closure that returns the quiet period after a given call, or nil for `wait`;
  ///     called on the caller's thread.
  ///   - tolerance: The maximum extra delay of a run, so that timers can share a wake.
  ///   - overlap: What happens when a call is due while the operation runs.
  ///   - clock: The debouncer's clock.
  ///   - operation: The operation; it should respond to the cancellation of its task.
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

  /// Requests a run after a quiet period of `wait`, and waits for the outcome.
  ///
  /// - Returns: The operation's result for this call, or why it did not run.
  /// - Throws: The operation's error.
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
