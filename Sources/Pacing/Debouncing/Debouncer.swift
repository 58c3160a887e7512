/// Debounces values: delivers the last of a burst once no other follows for a while.
///
/// Use it for input of which only the end result matters: keystrokes, resize events, file changes.
/// Use a ``Throttler`` or a maximum wait to deliver while values keep coming.
///
/// ```swift
/// let search = Debouncer<String>(for: .milliseconds(300)) { query in run(query) }
/// search.send("s")
/// search.send("swift")
/// ```
///
/// A quiet period of three steps, with the default edge and with `.both`:
///
///     sent       a-b-c-------d--------
///     trailing   -------c-------d-----
///     both       a------c----d--------
///
/// ## Timing
/// A value is due `wait` after it is sent if no other follows, or `maximumWait` after the first
/// undelivered one. A delivery forced by the maximum wait does not end the burst. A value can have
/// its own wait, from `send(_:for:)` or the rule `varying`. A value sent at the instant another is
/// due counts as arriving after that delivery. Nothing is delivered early; a late timer delivers
/// late and loses nothing. A wait of zero or less delivers each value at once. The debouncer is
/// idle after `flush()` of a pending value, after `cancel()` and at the end of a burst.
/// `finish(_:)` delivers the pending value at once.
///
/// ## Concurrency
/// As for every ``PacingTool``, which also declares `flush()`, `cancel()`, `finish(_:)`, `ticks()`
/// and the other verbs.
public final class Debouncer<Value: Sendable>: PacingTool {
  private let pacer: Pacer<ValueState<DebounceState, AnyValue>>
  private let rules: Rules<AnyValue>?

  init(
    _ timing: DebounceState, keeping keep: Keep<Value>, varying wait: Rules<Value>.Wait?,
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
  public var _core: _PacingCore<Value> { _PacingCore(pacer: DebouncePacing(pacer: pacer)) }

  /// Takes a value; drops it after `finish(_:)` or while the debouncer is disabled.
  ///
  /// - Complexity: O(1); a read of the clock and an uncontended lock.
  public func send(_ value: Value) {
    var value = AnyValue(value)
    pacer.send(&value, by: rules)
  }

  /// Takes a value with its own quiet period.
  public func send(_ value: Value, for wait: Duration) {
    var value = AnyValue(value)
    pacer.send(&value, by: rules, waiting: Nanoseconds(wait: wait))
  }

  /// The quiet period; a change applies to values sent afterwards.
  public var wait: Duration {
    get { pacer.wait }
    set { pacer.wait = newValue }
  }

  /// The longest a value waits while others keep coming; nil for no limit.
  ///
  /// A maximum shorter than the wait counts as the wait. A change applies to values that become
  /// pending afterwards.
  public var maximumWait: Duration? {
    get { pacer.maximumWait }
    set { pacer.maximumWait = newValue }
  }

  /// The ends of a burst that are delivered; a change applies to values sent afterwards.
  public var edges: Edges {
    get { pacer.edges }
    set { pacer.edges = newValue }
  }
}

/// A concrete pacer, so that its verbs are specialised inside the library.
struct DebouncePacing: ValuePacer { let pacer: Pacer<ValueState<DebounceState, AnyValue>> }
