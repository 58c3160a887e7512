/// Throttles values: delivers at most one in each window of time, while they keep coming.
///
/// Use it for progress, scrolling, polling: where a regular share of the values is wanted. Use a
/// `Debouncer` where only the end of a burst matters, a `TokenBucket` where no value may be lost.
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
/// Every delivery, leading or trailing, opens a window when it is decided; what was kept inside it
/// is delivered at its end and opens the next. Two decisions are never closer than `interval`,
/// unless `flush()`, `reset()` or `finish(.atOnce)` asked for it. What is due at an instant is
/// delivered before a value of the same instant is taken. An interval of zero or less delivers each
/// value at once. A value can bring the window that it opens, by `send(_:every:)` or by the rule
/// `varying`; the newest value sent counts. `flush()` delivers what is kept and opens a window;
/// `cancel()` leaves the window, and with it the spacing. `finish(_:)` delivers what is kept at the
/// window's end.
///
/// ## Concurrency
/// As for every ``PacingTool``; from there come `flush()`, `cancel()`, `finish(_:)`, `ticks()` and
/// the other verbs.
public final class Throttler<Value: Sendable>: PacingTool {
  private let pacer: Pacer<ValueState<ThrottleState, AnyValue>>
  private let rules: Rules<AnyValue>

  init(
    _ timing: ThrottleState, keeping keep: Keep<Value>, varying wait: Rules<Value>.Wait?,
    tolerance: Duration, clock: any PacingClock, handler: Handler<AnyValue>?
  ) {
    rules = Rules(wait: wait, keep: keep).erased
    pacer = Pacer(
      ValueState(timing, keepingFirst: keep.keepsFirst), handler: handler, tolerance: tolerance,
      clock: clock
    )
  }

  deinit {
    pacer.abandon()
  }

  /// What the tool stands on; there is nothing to do with it.
  public var _core: _PacingCore<Value> { _PacingCore(pacer: ThrottlePacing(pacer: pacer)) }

  /// Takes a value; after `finish(_:)`, or while the throttler is not enabled, it is dropped.
  ///
  /// - Complexity: O(1); a read of the clock and an uncontended lock.
  public func send(_ value: Value) {
    var value = AnyValue(value)
    pacer.send(&value, by: rules)
  }

  /// Takes a value whose delivery opens a window of its own length.
  public func send(_ value: Value, every interval: Duration) {
    var value = AnyValue(value)
    pacer.send(&value, by: rules, waiting: Nanoseconds(wait: interval))
  }

  /// Withdraws every value whose handler has not begun, and closes the window.
  ///
  /// - Returns: The newest value withdrawn, nil where there was none. It will not be delivered.
  @discardableResult
  public func reset() -> Value? {
    pacer.withdraw { $0.withdraw { $0.reset() } }.last?.get()
  }

  /// How long a window is; a new one counts for the values that are sent from then on.
  public var interval: Duration {
    get { pacer.wait }
    set { pacer.wait = newValue }
  }

  /// Which end of a window is delivered; new ones count for the values that are sent from then on.
  public var edges: Edges {
    get { pacer.edges }
    set { pacer.edges = newValue }
  }
}

/// The concrete pacer of a tool, so that its verbs are compiled with the library.
struct ThrottlePacing: ValuePacer { let pacer: Pacer<ValueState<ThrottleState, AnyValue>> }
