/// The verbs of every tool that takes values: ``Debouncer``, ``Throttler``, ``Auditor``,
/// ``Sampler``, ``Batcher``, and their keyed and calling forms.
///
/// A value that was sent is *pending*. When it falls due it is *decided*: it will be delivered, in
/// order, as soon as the handler's thread, queue or actor takes it. Until then it can be withdrawn.
///
/// ## Concurrency
/// Thread-safe and re-entrant: the handler may call any method, and a value that it sends is
/// delivered after the current one. A handler never runs on the caller's stack. One runs at a time,
/// or one per key of a keyed tool, unless an async handler has another ``Overlap``. While it runs,
/// what falls due is held, and new values are merged by the tool's own rule. Dropping the last
/// reference drops what is pending, lets what was decided run, and ends the streams.
public protocol PacingTool<Withdrawn>: AnyObject, Sendable {
  /// The values that `cancel()` withdraws: the newest one, that of each key, or all elements.
  associatedtype Withdrawn: Sendable

  /// Decides what is pending now; false if nothing is. The handler runs in its usual place.
  @discardableResult
  func flush() -> Bool

  /// Withdraws everything whose handler has not begun, and returns it.
  @discardableResult
  func cancel() -> Withdrawn

  /// Takes no more values, and ends the streams after those pending are delivered or dropped.
  ///
  /// - Parameter finish: What happens to what is pending; nil for the tool's default.
  func finish(_ finish: Finish?)

  /// Suspends deliveries: values are taken and merged, but none is decided until `resume()`.
  ///
  /// Quiet periods, windows and maximum waits continue, and batches close. `flush()`, `finish(_:)`
  /// and making room for a key deliver as usual.
  func suspend()

  /// Resumes deliveries, and decides what is overdue, once.
  func resume()

  /// Whether deliveries are suspended.
  var isSuspended: Bool { get }

  /// Whether a value will still be delivered; false after a lone leading delivery.
  var isPending: Bool { get }

  /// What `cancel()` would withdraw, but for what is in streams already.
  var pending: Withdrawn { get }

  /// The time until the next value is due: zero if one is overdue; nil if none is pending, or if it
  /// is already decided.
  var timeRemaining: Duration? { get }

  /// Counts of what happened to the values sent.
  var statistics: DeliveryStatistics { get }

  /// As `flush()`, then waits until the handlers of everything pending, decided or running have
  /// ended, regardless of values sent meanwhile. The tool's own handler would wait for itself.
  @discardableResult
  func flushAndWait() async -> Bool

  /// As `cancel()`, then waits for the running handlers; the tool's own would wait for itself.
  @discardableResult
  func cancelAndWait() async -> Withdrawn
}

extension PacingTool {
  /// Takes no more values; what is pending is treated by the tool's default.
  public func finish() { finish(nil) }
}

/// A tool that delivers the newest value sent, or one value for several: ``Debouncer``,
/// ``Throttler``, ``Auditor`` and ``Sampler``.
public protocol ValuePacingTool<Value>: PacingTool, DeliveringTool
where Delivered == Value, Withdrawn == Value? {
  /// The type of the values.
  associatedtype Value: Sendable

  /// Takes a value; drops it after `finish(_:)`.
  ///
  /// - Complexity: O(1); a read of the clock and an uncontended lock.
  func send(_ value: Value)
}

extension ValuePacingTool where Value == Void {
  /// Takes an event without a value.
  public func send() { send(()) }
}

/// A tool made of a pacer, which has its verbs.
protocol PacedTool: PacingTool {
  associatedtype Core: ToolPacer

  var pacer: Core { get }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PacedTool {
  public func flush() -> Bool { pacer.flush() }
  public func finish(_ finish: Finish?) { pacer.finish(finish) }
  public func suspend() { pacer.isSuspended = true }
  public func resume() { pacer.isSuspended = false }
  public var isSuspended: Bool { pacer.isSuspended }
  public var isPending: Bool { pacer.isPending }
  public var timeRemaining: Duration? { pacer.timeRemaining }
  public var statistics: DeliveryStatistics { pacer.statistics }
  public func flushAndWait() async -> Bool { await pacer.flushAndWait() }
  public func cancelAndWait() async -> Withdrawn {
    let withdrawn = cancel()
    await pacer.pacer.waitForHandler()
    return withdrawn
  }
}

protocol ValueTool: ValuePacingTool, PacedTool where Core == ValuePacer {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ValueTool {
  public func cancel() -> Delivered? { pacer.cancel()?.get(Delivered.self) }
  public var pending: Delivered? { pacer.pending?.get(Delivered.self) }
  public func attach(_ handler: Handler<Delivered>) { pacer.attach(handler.of { $0.get() }) }
  public func ticks() -> AsyncStream<Delivered> { pacer.consumer().ticks { $0.get() } }
  public func onDrop(_ observer: @escaping @Sendable (Delivered, DropReason) -> Void) {
    pacer.observeDrops { observer($0.get(), $1) }
  }
}
