/// What `Debouncer`, `Throttler`, `Auditor` and `Sampler` have in common: the verbs for values.
///
/// A value that was sent is *pending*. When its time has come it is *decided*: it will be
/// delivered, in its place, as soon as the handler's thread, queue or actor takes it. Until then it
/// can be withdrawn.
///
/// ## Concurrency
/// All methods may be called from any thread, and from inside the handler: a value that is sent
/// there comes after the one that is being delivered. One handler runs at a time, never on the
/// caller's stack, unless an async one was given another `Overlap`; while it runs, what falls due
/// is held, and values that come then are merged by the tool's own rule. Dropping the last
/// reference drops what is pending, lets what was decided run, and ends the streams.
public protocol PacingTool<Value>: DeliveringTool {
  /// The implementation; a tool made of another returns that tool's.
  var _core: _PacingCore<Value> { get }

  /// Takes a value; after `finish(_:)`, or while the tool is not enabled, it is dropped.
  ///
  /// - Complexity: O(1); a read of the clock and an uncontended lock.
  func send(_ value: Value)
}

extension PacingTool {
  var core: _PacingCore<Value> { _core }

  /// The place of the tool's handler.
  public var _handlerSlot: _HandlerSlot<Value> { core.pacer.handlerSlot { $0.get() } }

  /// Decides the pending value now; its handler runs where it always runs.
  ///
  /// - Returns: Whether there was one; where there was none, nothing happens.
  @discardableResult
  public func flush() -> Bool { core.pacer.flush() }

  /// Withdraws every value whose handler has not begun.
  ///
  /// - Returns: The newest value withdrawn, nil where there was none. It will not be delivered.
  @discardableResult
  public func cancel() -> Value? { core.pacer.cancel()?.get() }

  /// Takes no more values, and ends the streams when the pending one has been delivered or dropped.
  ///
  /// - Parameter finish: What happens to the pending value; nil for the tool's own rule: a sampler
  ///   drops it, the other tools deliver it.
  public func finish(_ finish: Finish? = nil) { core.pacer.finish(finish) }

  /// Suspends deliveries: values are taken and merged, and none is decided until `resume()`.
  ///
  /// Quiet periods, windows and maximum waits go on counting. `flush()` and `finish(_:)` deliver as
  /// usual. Suspending a suspended tool is a no-op.
  public func suspend() { core.pacer.isSuspended = true }

  /// Resumes deliveries, and decides what is overdue, once.
  public func resume() { core.pacer.isSuspended = false }

  /// Whether deliveries are suspended.
  public var isSuspended: Bool { core.pacer.isSuspended }

  /// Whether a value will still be delivered; false after a lone leading delivery.
  public var isPending: Bool { core.pacer.isPending }

  /// The newest value that will still be delivered, nil where there is none.
  public var pending: Value? { core.pacer.pending?.get() }

  /// How long until the pending value is due: zero where it is overdue, nil where nothing is
  /// pending or the value is decided already.
  public var timeRemaining: Duration? { core.pacer.timeRemaining }

  /// Whether values are taken.
  ///
  /// Setting it to false drops the pending value, with the reason `.disabled`. Values sent while it
  /// is false are dropped too.
  public var isEnabled: Bool {
    get { core.pacer.isEnabled }
    set { core.pacer.isEnabled = newValue }
  }

  /// What has become of all the values that were sent.
  public var statistics: DeliveryStatistics { core.pacer.statistics }

  /// Has a closure told of each value that is dropped, and why; also of one that `cancel()`
  /// returns.
  ///
  /// Values that others stand for are not dropped: `statistics` counts them as merged. Without a
  /// handler a value is delivered when streams have it, and not told, whatever becomes of it there.
  ///
  /// - Parameter observer: Called on the library's own threads, by several of them at a time. It
  ///   takes the place of an earlier one.
  public func onDrop(_ observer: @escaping @Sendable (Value, DropReason) -> Void) {
    core.pacer.observeDrops { observer($0.get(), $1) }
  }

  /// The values as a stream, from now on: each call is a subscription of its own.
  ///
  /// A consumer that is slow finds the newest value; the stream keeps one and never more. It ends
  /// after `finish(_:)`, and when the tool is dropped, which the stream does not prevent.
  /// Cancelling the task or letting go of the stream ends the subscription at once; leaving the
  /// loop does where nothing else holds the stream.
  public func ticks() -> AsyncStream<Value> { core.pacer.ticks { $0.get() } }

  /// Flushes, and returns when the handlers of everything that was pending, decided or running have
  /// ended, whatever is sent meanwhile.
  ///
  /// - Returns: What `flush()` returns.
  /// - Precondition: It is not called by the tool's own async handler, which it would wait for.
  @discardableResult
  public func flushAndWait() async -> Bool { await core.pacer.flushAndWait() }

  /// Cancels, and returns when the handlers that were running have ended.
  ///
  /// - Returns: What `cancel()` returns.
  /// - Precondition: It is not called by the tool's own async handler, which it would wait for.
  @discardableResult
  public func cancelAndWait() async -> Value? {
    let withdrawn = cancel()
    await core.pacer.waitForHandler()
    return withdrawn
  }
}

extension PacingTool where Value == Void {
  /// Takes an event that carries nothing.
  public func send() { send(()) }
}

/// What a tool that takes values stands on: its lock, its timer, and its pending value.
public struct _PacingCore<Value: Sendable>: Sendable {
  let pacer: any ValuePacer<AnyValue>
}
