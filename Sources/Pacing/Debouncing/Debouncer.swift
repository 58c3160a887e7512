/// Debounces values: delivers the last of a burst once no other follows for a quiet period.
///
/// Use a debouncer when only the final value matters: keystrokes, resize events, file changes.
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
/// undelivered one. A delivery forced by the maximum wait does not end the burst. A value sent at
/// the instant another is due counts as arriving after that delivery. Nothing is delivered early; a
/// late timer delivers late and loses nothing. The debouncer is idle after `flush()` of a pending
/// value, after `cancel()` and after a burst. `finish(_:)` delivers the pending value at once.
///
/// ## Concurrency
/// As for every ``PacingTool`` and ``DeliveringTool``, which declare the other verbs.
public final class Debouncer<Value: Sendable>: ValueTool {
  let pacer: ValuePacer

  /// Creates a debouncer; `handle` attaches a handler to it.
  ///
  /// - Parameters:
  ///   - wait: The quiet period; zero or less delivers each value at once.
  ///   - edges: The ends of a burst that are delivered.
  ///   - maximumWait: The longest a value waits while others keep coming; nil for no limit.
  ///   - keep: Which of the values sent while one is pending is delivered.
  ///   - rule: A closure that returns the quiet period after a given value, or nil for `wait`;
  ///     called on the sender's thread.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - clock: The debouncer's clock.
  public init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch
  ) {
    pacer = ValuePacer(
      .debounce(wait, maximumWait: maximumWait, edges: edges), keeping: keep, varying: rule,
      tolerance: tolerance, service: clock.service)
  }

  /// Creates a debouncer with a handler that runs on the library's threads.
  @inlinable
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch,
    handler: @escaping @Sendable (Value) -> Void
  ) {
    self.init(
      for: wait, edges: edges, maximumWait: maximumWait, keeping: keep, varying: rule,
      tolerance: tolerance, clock: clock)
    receive(Handler { handler($0.get()) })
  }

  @usableFromInline
  func receive(_ handler: consuming Handler<AnyValue>) { pacer.attach(handler) }

  deinit { pacer.abandon() }

  /// Takes a value; drops it after `finish(_:)`.
  ///
  /// - Complexity: O(1); a read of the clock and an uncontended lock.
  @inlinable
  public func send(_ value: Value) {
    var value = AnyValue(value)
    take(&value)
  }

  @usableFromInline
  func take(_ value: inout AnyValue) { pacer.send(&value) }

  /// Takes a value with its own quiet period; one of zero or less is over at once.
  public func send(_ value: Value, waiting wait: Duration) {
    var value = AnyValue(value)
    pacer.send(&value, waiting: Nanoseconds(wait: wait))
  }

  /// The quiet period; a change applies to values sent afterwards.
  public var wait: Duration {
    get { Duration.nanoseconds(pacer.settings.wait) }
    set { pacer.settings.wait = Nanoseconds(wait: newValue) }
  }

  /// The longest a value waits while others keep coming; nil for no limit.
  ///
  /// A maximum shorter than the wait counts as the wait. A change applies to values that become
  /// pending afterwards.
  public var maximumWait: Duration? {
    get { pacer.settings.longestWait }
    set { pacer.settings.longestWait = newValue }
  }

  /// The ends of a burst that are delivered; a change applies to values sent afterwards.
  public var edges: Edges {
    get { pacer.settings.edges }
    set { pacer.settings.edges = newValue }
  }
}
