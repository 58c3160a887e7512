/// The verbs common to ``Debouncer``, ``Throttler``, ``Auditor`` and ``Sampler``.
///
/// A value that was sent is *pending*. When it falls due it is *decided*: it will be delivered, in
/// order, as soon as the handler's thread, queue or actor takes it. Until then it can be withdrawn.
///
/// ## Concurrency
/// Thread-safe and re-entrant: any thread may call any method, and so may the handler; a value sent
/// there is delivered after the current one. Handlers never run on the caller's stack. One runs at
/// a time, unless an async one has another ``Overlap``; while it runs, what falls due is held, and
/// new values are merged by the tool's own rule. Dropping the last reference drops what is pending,
/// lets what was decided run, and ends the streams.
public protocol PacingTool<Value>: DeliveringTool {
  /// The implementation; a tool composed of another returns that tool's.
  var _core: _PacingCore<Value> { get }

  /// Takes a value, which is dropped after `finish(_:)` or while the tool is disabled.
  ///
  /// - Complexity: O(1); a read of the clock and an uncontended lock.
  func send(_ value: Value)
}

extension PacingTool {
  var core: _PacingCore<Value> { _core }

  /// The tool's handler slot.
  public var _handlerSlot: _HandlerSlot<Value> { core.pacer.handlerSlot { $0.get() } }

  /// Decides the pending value now; its handler runs in its usual place.
  ///
  /// - Returns: Whether a value was pending; if none was, the call is a no-op.
  @discardableResult
  public func flush() -> Bool { core.pacer.flush() }

  /// Withdraws every value whose handler has not begun.
  ///
  /// - Returns: The newest value withdrawn, which will not be delivered; nil if there was none.
  @discardableResult
  public func cancel() -> Value? { core.pacer.cancel()?.get(Value.self) }

  /// Takes no more values, and ends the streams after the pending one is delivered or dropped.
  ///
  /// - Parameter finish: What happens to the pending value; nil for the tool's default: a sampler
  ///   drops it, the other tools deliver it.
  public func finish(_ finish: Finish? = nil) { core.pacer.finish(finish) }

  /// Suspends deliveries: values are taken and merged, but none is decided until `resume()`.
  ///
  /// Quiet periods, windows and maximum waits continue. `flush()` and `finish(_:)` deliver as
  /// usual. Suspending a suspended tool is a no-op.
  public func suspend() { core.pacer.isSuspended = true }

  /// Resumes deliveries, and decides what is overdue, once.
  public func resume() { core.pacer.isSuspended = false }

  /// Whether deliveries are suspended.
  public var isSuspended: Bool { core.pacer.isSuspended }

  /// Whether a value will still be delivered; false after a lone leading delivery.
  public var isPending: Bool { core.pacer.isPending }

  /// The newest value that will still be delivered; nil if there is none.
  public var pending: Value? { core.pacer.pending?.get(Value.self) }

  /// The time until the pending value is due: zero if it is overdue, nil if none is pending or it
  /// is already decided.
  public var timeRemaining: Duration? { core.pacer.timeRemaining }

  /// Whether values are taken.
  ///
  /// Setting it to false drops the pending value, with the reason `.disabled`. Values sent while it
  /// is false are dropped too.
  public var isEnabled: Bool {
    get { core.pacer.isEnabled }
    set { core.pacer.isEnabled = newValue }
  }

  /// Counts of what happened to the values sent.
  public var statistics: DeliveryStatistics { core.pacer.statistics }

  /// Sets a closure that is called with each dropped value and the reason, including values that
  /// `cancel()` returns.
  ///
  /// Merged values are not dropped; `statistics` counts them as merged. Without a handler, a value
  /// counts as delivered once it is in the streams; later replacement in a stream is not reported.
  ///
  /// - Parameter observer: The closure, which replaces an earlier one. The library's threads call
  ///   it, several at a time.
  public func onDrop(_ observer: @escaping @Sendable (Value, DropReason) -> Void) {
    core.pacer.observeDrops { observer($0.get(), $1) }
  }

  /// A stream of the values from now on; each call is a separate subscription.
  ///
  /// A slow consumer receives the newest value; the stream keeps only one. The stream ends after
  /// `finish(_:)`, and when the tool is deinitialised; it does not keep the tool alive. Cancelling
  /// the task or releasing the stream ends the subscription immediately; leaving the loop does so
  /// if nothing else holds the stream.
  public func ticks() -> AsyncStream<Value> { core.pacer.ticks { $0.get() } }

  /// Flushes, then waits until the handlers of everything pending, decided or running have ended,
  /// regardless of values sent meanwhile.
  ///
  /// - Returns: What `flush()` returns.
  /// - Precondition: The caller is not the tool's own async handler, which would wait for itself.
  @discardableResult
  public func flushAndWait() async -> Bool { await core.pacer.flushAndWait() }

  /// Cancels, then waits until the running handlers have ended.
  ///
  /// - Returns: What `cancel()` returns.
  /// - Precondition: The caller is not the tool's own async handler, which would wait for itself.
  @discardableResult
  public func cancelAndWait() async -> Value? {
    let withdrawn = cancel()
    await core.pacer.waitForHandler()
    return withdrawn
  }
}

extension PacingTool where Value == Void {
  /// Takes an event without a value.
  public func send() { send(()) }
}

/// The implementation of a tool that takes values: its lock, its timer and its pending value.
public struct _PacingCore<Value: Sendable>: Sendable {
  let pacer: any ValuePacer<AnyValue>
}
