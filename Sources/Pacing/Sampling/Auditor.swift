/// Audits values: when one comes, waits for a while and delivers the newest of what came meanwhile.
///
/// Use it where something has changed and is worth a look soon, but not for each change: a badge, a
/// cache, a derived view. Use a `Throttler` where the first value must not wait, a `Debouncer`
/// where the end of a burst must be awaited.
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
/// auditor is idle. What is due at an instant is delivered before a value of the same instant is
/// taken. A window of zero or less delivers each value at once. A value that opens a window can
/// bring its length, by `send(_:for:)` or by the rule `varying`. `flush()` and `cancel()` leave the
/// auditor idle; `finish(_:)` delivers what is held at the window's end.
///
/// ## Concurrency
/// As for every ``PacingTool``; from there come `flush()`, `cancel()`, `finish(_:)`, `ticks()` and
/// the other verbs.
public final class Auditor<Value: Sendable>: PacingTool {
  private let pacer: Pacer<ValueState<AuditState, AnyValue>>
  private let rules: Rules<AnyValue>

  init(
    _ timing: AuditState, varying wait: Rules<Value>.Wait?, tolerance: Duration,
    clock: any PacingClock, handler: Handler<AnyValue>?
  ) {
    rules = Rules(wait: wait).erased
    pacer = Pacer(ValueState(timing), handler: handler, tolerance: tolerance, clock: clock)
  }

  deinit {
    pacer.abandon()
  }

  /// What the tool stands on; there is nothing to do with it.
  public var _core: _PacingCore<Value> { _PacingCore(pacer: AuditPacing(pacer: pacer)) }

  /// Takes a value; after `finish(_:)`, or while the auditor is not enabled, it is dropped.
  ///
  /// - Complexity: O(1); a read of the clock and an uncontended lock.
  public func send(_ value: Value) {
    var value = AnyValue(value)
    pacer.send(&value, by: rules)
  }

  /// Takes a value; if it opens a window, that has a length of its own.
  public func send(_ value: Value, for window: Duration) {
    var value = AnyValue(value)
    pacer.send(&value, by: rules, waiting: Nanoseconds(wait: window))
  }

  /// How long a window is; a new one counts for the windows that open from then on.
  public var window: Duration {
    get { pacer.wait }
    set { pacer.wait = newValue }
  }
}

/// The concrete pacer of a tool, so that its verbs are compiled with the library.
struct AuditPacing: ValuePacer { let pacer: Pacer<ValueState<AuditState, AnyValue>> }
