/// What `AsyncDebouncer` and `AsyncThrottler` have in common: calls, whose callers wait for the
/// outcome.
///
/// Each caller is resumed exactly once: with what the operation returned or threw for this very
/// call, or with `superseded` or `cancelled`. A newer call never cancels one that runs, unless the
/// tool was made with ``Overlap/cancelPrevious``.
///
/// ## Concurrency
/// All methods may be called from any thread. Cancelling a task that waits withdraws its call;
/// where the operation runs for it, its task is cancelled, and the caller is resumed when it has
/// ended. A caller that waits keeps the tool alive.
public protocol CallingTool<Input, Output>: AnyObject, Sendable {
  /// What the operation is given.
  associatedtype Input: Sendable

  /// What the operation returns.
  associatedtype Output: Sendable

  /// The implementation; a tool made of another returns that tool's.
  var _core: _CallingCore<Input, Output> { get }
}

extension CallingTool {
  var core: _CallingCore<Input, Output> { _core }

  /// Asks for the operation to be run, and waits for what becomes of that.
  ///
  /// - Returns: What the operation returned for this call, or why it was not run.
  /// - Throws: What the operation threw.
  public func call(_ input: Input) async throws -> CallOutcome<Output> {
    try await core.pacer.call(input, waiting: nil)
  }

  /// Runs the operation for the pending call now.
  ///
  /// - Returns: Whether there was one; where there was none, nothing happens.
  @discardableResult
  public func flush() -> Bool { core.pacer.flush() }

  /// Withdraws every call that has not begun; its callers are told `cancelled`.
  ///
  /// - Returns: The newest input withdrawn, nil where there was none.
  @discardableResult
  public func cancel() -> Input? { core.pacer.cancel()?.input }

  /// Takes no more calls: those that come are told `cancelled`.
  ///
  /// - Parameter finish: What happens to the pending call.
  public func finish(_ finish: Finish = .deliver) { core.pacer.finish(finish) }

  /// Suspends runs: calls are taken and merged, and none is decided until `resume()`.
  ///
  /// Quiet periods, windows and maximum waits go on counting. `flush()` and `finish(_:)` run the
  /// pending call as usual. Suspending a suspended tool is a no-op.
  public func suspend() { core.pacer.isSuspended = true }

  /// Resumes runs, and decides what is overdue, once.
  public func resume() { core.pacer.isSuspended = false }

  /// Whether runs are suspended.
  public var isSuspended: Bool { core.pacer.isSuspended }

  /// Whether a call waits to be run.
  public var isPending: Bool { core.pacer.isPending }

  /// The input of the newest call that waits to be run, nil where there is none.
  public var pending: Input? { core.pacer.pending?.input }

  /// How long until the pending call is due: zero where it is overdue, nil where none is pending or
  /// it is decided already.
  public var timeRemaining: Duration? { core.pacer.timeRemaining }

  /// Whether calls are taken.
  ///
  /// Setting it to false ends the pending call with `cancelled`. Calls made while it is false end
  /// the same way.
  public var isEnabled: Bool {
    get { core.pacer.isEnabled }
    set { core.pacer.isEnabled = newValue }
  }

  /// What has become of all the calls.
  public var statistics: DeliveryStatistics { core.pacer.statistics }

  /// Flushes, and returns when the operation has ended for all that was due.
  ///
  /// - Returns: What `flush()` returns.
  /// - Precondition: It is not called by the tool's own operation, which it would wait for.
  @discardableResult
  public func flushAndWait() async -> Bool { await core.pacer.flushAndWait() }

  /// Cancels, and returns when the operations that were running have ended.
  ///
  /// - Returns: What `cancel()` returns.
  /// - Precondition: It is not called by the tool's own operation, which it would wait for.
  @discardableResult
  public func cancelAndWait() async -> Input? {
    let withdrawn = cancel()
    await core.pacer.waitForHandler()
    return withdrawn
  }
}

extension CallingTool where Input == Void {
  /// Asks for the operation to be run, and waits for what becomes of that.
  ///
  /// - Returns: What the operation returned for this call, or why it was not run.
  /// - Throws: What the operation threw.
  public func call() async throws -> CallOutcome<Output> { try await call(()) }
}

/// What a tool for calls stands on: its lock, its timer, and the call that waits.
public struct _CallingCore<Input: Sendable, Output: Sendable>: Sendable {
  let pacer: any CallPacer<Input, Output>
}
