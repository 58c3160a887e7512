/// Debounces values: delivers the last of a burst once no further one has come for a while.
///
/// Use it for input of which only the end result matters: keystrokes, resize events, file changes.
/// Use a `Throttler` where deliveries are wanted while the values keep coming, or give a maximum
/// wait.
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
/// A value is due `wait` after it came, if none has come since, or `maximumWait` after the first
/// one not yet delivered. A delivery by the maximum wait does not end the burst. A value can bring
/// its own wait, by `send(_:for:)` or by the rule `varying`. What is due at an instant is delivered
/// before a value of the same instant is taken. Nothing is delivered early; a late timer delivers
/// late, and loses nothing. A wait of zero or less delivers each value at once. After `flush()` of
/// a pending value, after `cancel()` and at the end of a burst the debouncer is idle. `finish(_:)`
/// delivers the pending value at once.
///
/// ## Concurrency
/// As for every ``PacingTool``; from there come `flush()`, `cancel()`, `finish(_:)`, `ticks()` and
/// the other verbs.
public final class Debouncer<Value: Sendable>: PacingTool {
  private let pacer: Pacer<ValueState<DebounceState, AnyValue>>
  private let rules: Rules<AnyValue>

  init(
    _ timing: DebounceState, keeping keep: Keep<Value>, varying wait: Rules<Value>.Wait?,
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
  public var _core: _PacingCore<Value> { _PacingCore(pacer: DebouncePacing(pacer: pacer)) }

  /// Takes a value; after `finish(_:)`, or while the debouncer is not enabled, it is dropped.
  ///
  /// - Complexity: O(1); a read of the clock and an uncontended lock.
  public func send(_ value: Value) {
    var value = AnyValue(value)
    pacer.send(&value, by: rules)
  }

  /// Takes a value after which it must be quiet for a time of its own.
  public func send(_ value: Value, for wait: Duration) {
    var value = AnyValue(value)
    pacer.send(&value, by: rules, waiting: Nanoseconds(wait: wait))
  }

  /// How long it must be quiet; a new one counts for the values that are sent from then on.
  public var wait: Duration {
    get { pacer.wait }
    set { pacer.wait = newValue }
  }

  /// How long a value waits at the most while others keep coming, nil for no limit.
  ///
  /// Less than the wait counts as the wait. A new one counts for the values that become pending
  /// from then on.
  public var maximumWait: Duration? {
    get { pacer.maximumWait }
    set { pacer.maximumWait = newValue }
  }

  /// Which end of a burst is delivered; new ones count for the values that are sent from then on.
  public var edges: Edges {
    get { pacer.edges }
    set { pacer.edges = newValue }
  }
}

/// The concrete pacer of a tool, so that its verbs are compiled with the library.
struct DebouncePacing: ValuePacer { let pacer: Pacer<ValueState<DebounceState, AnyValue>> }
