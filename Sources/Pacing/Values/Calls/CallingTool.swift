/// The verbs common to ``AsyncDebouncer`` and ``AsyncThrottler``, whose callers wait for the
/// outcome.
///
/// Each caller is resumed exactly once: with what the operation returned or threw for its own call,
/// or with `superseded` or `cancelled`. A newer call never cancels a running one, unless the tool
/// was made with ``Overlap/cancelPrevious``.
///
/// ## Concurrency
/// Thread-safe and re-entrant: any thread may call any method, and so may the operation. Cancelling
/// a waiting task withdraws its call; if the operation is running for it, the operation's task is
/// cancelled, and the caller is resumed when that has ended. A waiting caller keeps the tool alive.
public protocol CallingTool<Input, Output>: AnyObject, Sendable {
  /// The type of the operation's input.
  associatedtype Input: Sendable

  /// The type of the operation's result.
  associatedtype Output: Sendable

  /// The implementation; a tool composed of another returns that tool's.
  var _core: _CallingCore<Input, Output> { get }
}

extension CallingTool {
  var core: _CallingCore<Input, Output> { _core }

  /// Requests a run of the operation, and waits for the outcome.
  ///
  /// - Returns: What the operation returned for this call, or why it did not run.
  /// - Throws: The error that the operation threw.
  public func call(_ input: Input) async throws -> CallOutcome<Output> {
    try await core.pacer.call(input, waiting: nil)
  }

  /// Runs the operation for the pending call now.
  ///
  /// - Returns: Whether a call was pending; if none was, nothing happens.
  @discardableResult
  public func flush() -> Bool { core.pacer.flush() }

  /// Withdraws every call that has not begun; its callers receive `cancelled`.
  ///
  /// - Returns: The newest input withdrawn; nil if there was none.
  @discardableResult
  public func cancel() -> Input? { core.pacer.cancel()?.input }

  /// Takes no more calls; later ones end with `cancelled`.
  ///
  /// - Parameter finish: What happens to the pending call.
  public func finish(_ finish: Finish = .deliver) { core.pacer.finish(finish) }

  /// Suspends runs, as `PacingTool.suspend()` suspends deliveries, until `resume()`.
  public func suspend() { core.pacer.isSuspended = true }

  /// Resumes runs, and decides what is overdue, once.
  public func resume() { core.pacer.isSuspended = false }

  /// Whether runs are suspended.
  public var isSuspended: Bool { core.pacer.isSuspended }

  /// Whether a call waits to run.
  public var isPending: Bool { core.pacer.isPending }

  /// The input of the newest call that waits to run; nil if there is none.
  public var pending: Input? { core.pacer.pending?.input }

  /// The time until the pending call is due: zero if it is overdue, nil if none is pending or it is
  /// already decided.
  public var timeRemaining: Duration? { core.pacer.timeRemaining }

  /// Whether calls are taken.
  ///
  /// Setting it to false ends the pending call with `cancelled`. Calls made while it is false end
  /// the same way.
  public var isEnabled: Bool {
    get { core.pacer.isEnabled }
    set { core.pacer.isEnabled = newValue }
  }

  /// Counts of what happened to the calls.
  public var statistics: DeliveryStatistics { core.pacer.statistics }

  /// Flushes, then waits until the operation has ended for every call pending, decided or running.
  ///
  /// - Returns: What `flush()` returns.
  /// - Precondition: The caller is not the tool's own operation, which would wait for itself.
  @discardableResult
  public func flushAndWait() async -> Bool { await core.pacer.flushAndWait() }

  /// Cancels, then waits until the running operations have ended.
  ///
  /// - Returns: What `cancel()` returns.
  /// - Precondition: The caller is not the tool's own operation, which would wait for itself.
  @discardableResult
  public func cancelAndWait() async -> Input? {
    let withdrawn = cancel()
    await core.pacer.waitForHandler()
    return withdrawn
  }
}

extension CallingTool {
  /// Sets the operation of a tool made without one; it runs on the main actor.
  ///
  /// The form for a class that keeps the tool in a `let`, at the end of its initialiser:
  ///
  /// ```swift
  /// lookup.deliver(to: self) { model, query in try await model.search(query) }
  /// ```
  ///
  /// The tool holds the owner weakly, a run holds it strongly. Once the owner is gone, callers get
  /// `cancelled`, as do those whose calls fall due before there is an operation.
  ///
  /// - Parameters:
  ///   - owner: The object that the operation works for.
  ///   - overlap: What happens when a call is due while the operation runs.
  ///   - operation: The operation; it should respond to the cancellation of its task.
  /// - Precondition: The tool has no operation.
  @MainActor
  public func deliver<Owner: AnyObject & Sendable>(
    to owner: Owner, overlap: Overlap = .keepLatest,
    operation: @escaping @MainActor (Owner, Input) async throws -> Output
  ) {
    core.pacer.set(Handler(on: .main, for: owner, overlap: overlap, operation: operation))
  }

  /// As `deliver(to:overlap:operation:)`, with an operation isolated to an actor.
  public func deliver<Owner: Actor>(
    to owner: Owner, overlap: Overlap = .keepLatest,
    operation: @escaping @Sendable (isolated Owner, Input) async throws -> Output
  ) {
    core.pacer.set(Handler(on: owner, overlap: overlap, operation: operation))
  }
}

extension CallingTool where Input == Void {
  /// As `call(_:)`, for an operation without input.
  public func call() async throws -> CallOutcome<Output> { try await call(()) }
}

/// The implementation of a tool for calls: its lock, its timer and its pending call.
public struct _CallingCore<Input: Sendable, Output: Sendable>: Sendable {
  let pacer: any CallPacer<Input, Output>
}
