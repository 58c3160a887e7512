/// Audits values: delivers the newest value a fixed time after the first.
///
/// Use it for something to refresh soon after a change, but not for each change: a badge, a cache,
/// a derived view. Use a ``Throttler`` if the first value must not wait, a ``Debouncer`` to wait
/// for the end of a burst.
///
/// ```swift
/// let badge = Auditor<Int>(for: .milliseconds(200), on: .main) { count in show(count) }
/// badge.send(1)
/// ```
///
/// A window of four steps:
///
///     sent       a-b-c-d-----e--------
///     audited    ----b---d-------e----
///
/// ## Timing
/// The first value after idle opens a window; at its end the newest value is delivered, and the
/// auditor is idle. A value sent at the instant another is due counts as arriving after that
/// delivery. A window of zero or less delivers each value at once. A value that opens a window can
/// specify its length, by `send(_:for:)` or the rule `varying`. `flush()` and `cancel()` leave the
/// auditor idle; `finish(_:)` delivers the pending value at the window's end.
///
/// ## Concurrency
/// As for every ``PacingTool``, which also declares `flush()`, `cancel()`, `finish(_:)`, `ticks()`
/// and the other verbs.
public final class Auditor<Value: Sendable>: PacingTool {
  private let pacer: Pacer<ValueState<AuditState, AnyValue>>
  private let rules: Rules<AnyValue>?

  init(
    _ timing: AuditState, varying wait: Rules<Value>.Wait?, tolerance: Duration,
    clock: any PacingClock, handler: Handler<AnyValue>?
  ) {
    rules = .erasing(wait: wait)
    pacer = Pacer(ValueState(timing), handler: handler, tolerance: tolerance, clock: clock)
  }

  deinit {
    pacer.abandon()
  }

  /// The tool's implementation, for the library only.
  public var _core: _PacingCore<Value> { _PacingCore(pacer: AuditPacing(pacer: pacer)) }

  /// Takes a value; drops it after `finish(_:)` or while the auditor is disabled.
  ///
  /// - Complexity: O(1); a read of the clock and an uncontended lock.
  public func send(_ value: Value) {
    var value = AnyValue(value)
    pacer.send(&value, by: rules)
  }

  /// Takes a value; if it opens a window, the length of that is `window`.
  public func send(_ value: Value, for window: Duration) {
    var value = AnyValue(value)
    pacer.send(&value, by: rules, waiting: Nanoseconds(wait: window))
  }

  /// The length of a window; a change applies to windows opened afterwards.
  public var window: Duration {
    get { pacer.wait }
    set { pacer.wait = newValue }
  }
}

/// A concrete pacer, so that its verbs are specialised inside the library.
struct AuditPacing: ValuePacer { let pacer: Pacer<ValueState<AuditState, AnyValue>> }
