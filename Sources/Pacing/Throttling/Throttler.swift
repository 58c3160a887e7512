/// Throttles values: delivers at most one per window of time while they keep coming.
///
/// Use it for progress, scrolling or polling, if a regular share of the values is enough. Use a
/// ``Debouncer`` if only the end of a burst matters, a ``TokenBucket`` if no value may be lost.
///
/// ```swift
/// let save = Throttler<Document>(every: .seconds(1)) { document in write(document) }
/// save.send(document)
/// ```
///
/// A window of four steps, with both edges (the default), the leading and the trailing one alone:
///
///     sent       a-b-c-d-----e--------
///     both       a---b---d---e--------
///     leading    a---c-------e--------
///     trailing   ----b---d-------e----
///
/// ## Timing
/// Every delivery, leading or trailing, opens a window when it is decided; a value kept inside the
/// window is delivered at its end and opens the next. Two decisions are never closer than
/// `interval`, unless `flush()`, `reset()` or `finish(.atOnce)` intervenes. A value sent at the
/// instant another is due counts as arriving after that delivery. An interval of zero or less
/// delivers each value at once. A value can specify the window that it opens, by `send(_:every:)`
/// or the rule `varying`; the newest value sent counts. `flush()` delivers the pending value and
/// opens a window; `cancel()` keeps the window, and with it the spacing. `finish(_:)` delivers the
/// pending value at the window's end.
///
/// ## Concurrency
/// As for every ``PacingTool``, which also declares `flush()`, `cancel()`, `finish(_:)`, `ticks()`
/// and the other verbs.
public final class Throttler<Value: Sendable>: PacingTool {
  private let pacer: Pacer<ValueState<ThrottleState, AnyValue>>
  private let rules: Rules<AnyValue>?

  init(
    _ timing: ThrottleState, keeping keep: Keep<Value>, varying wait: Rules<Value>.Wait?,
    tolerance: Duration, clock: any PacingClock, handler: Handler<AnyValue>?
  ) {
    rules = .erasing(wait: wait, keep: keep)
    pacer = Pacer(
      ValueState(timing, keepingFirst: keep.keepsFirst), handler: handler, tolerance: tolerance,
      clock: clock
    )
  }

  deinit {
    pacer.abandon()
  }

  /// The tool's implementation, for the library only.
  public var _core: _PacingCore<Value> { _PacingCore(pacer: ThrottlePacing(pacer: pacer)) }

  /// Takes a value; drops it after `finish(_:)` or while the throttler is disabled.
  ///
  /// - Complexity: O(1); a read of the clock and an uncontended lock.
  public func send(_ value: Value) {
    var value = AnyValue(value)
    pacer.send(&value, by: rules)
  }

  /// Takes a value whose delivery opens a window of `interval`.
  public func send(_ value: Value, every interval: Duration) {
    var value = AnyValue(value)
    pacer.send(&value, by: rules, waiting: Nanoseconds(wait: interval))
  }

  /// Withdraws every value whose handler has not begun, and closes the window.
  ///
  /// - Returns: The newest value withdrawn, which is not delivered; nil if there was none.
  @discardableResult
  public func reset() -> Value? {
    pacer.withdraw { $0.withdraw { $0.reset() } }?.get(Value.self)
  }

  /// The length of a window; a change applies to values sent afterwards.
  public var interval: Duration {
    get { pacer.wait }
    set { pacer.wait = newValue }
  }

  /// The ends of a window that are delivered; a change applies to values sent afterwards.
  public var edges: Edges {
    get { pacer.edges }
    set { pacer.edges = newValue }
  }
}

/// A concrete pacer, so that its verbs are specialised inside the library.
struct ThrottlePacing: ValuePacer { let pacer: Pacer<ValueState<ThrottleState, AnyValue>> }
