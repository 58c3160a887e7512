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
/// instant another is due counts as arriving after that delivery. `flush()` delivers the pending
/// value and opens a window; `cancel()` keeps the window, and with it the spacing. `finish(_:)`
/// delivers the pending value at the window's end.
///
/// ## Concurrency
/// As for every ``PacingTool`` and ``DeliveringTool``, which declare the other verbs.
public final class Throttler<Value: Sendable>: ValueTool {
  let pacer: ValuePacer

  /// Creates a throttler; `handle` attaches a handler to it.
  ///
  /// - Parameters:
  ///   - interval: The length of a window; zero or less delivers each value at once.
  ///   - edges: The ends of a window that are delivered.
  ///   - keep: Which of the values sent inside a window is delivered.
  ///   - rule: A closure that returns the length of the window that a given value opens, or nil for
  ///     `interval`; called on the sender's thread. That of the newest value sent counts.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - clock: The throttler's clock.
  public init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Value) -> Duration?)? = nil, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch
  ) {
    pacer = ValuePacer(
      .throttle(interval, edges: edges), keeping: keep, varying: rule, tolerance: tolerance,
      service: clock.service)
  }

  /// Creates a throttler with a handler that runs on the library's threads.
  @inlinable
  public convenience init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Value) -> Duration?)? = nil, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch, handler: @escaping @Sendable (Value) -> Void
  ) {
    self.init(
      every: interval, edges: edges, keeping: keep, varying: rule, tolerance: tolerance,
      clock: clock)
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

  /// Takes a value whose delivery opens a window of `interval`; the newest value sent counts.
  public func send(_ value: Value, every interval: Duration) {
    var value = AnyValue(value)
    pacer.send(&value, waiting: Nanoseconds(wait: interval))
  }

  /// Withdraws every value whose handler has not begun, closes the window, and returns the newest
  /// value withdrawn; nil if there was none.
  @discardableResult
  public func reset() -> Value? { pacer.reset()?.get(Value.self) }

  /// The length of a window; a change applies to values sent afterwards.
  public var interval: Duration {
    get { Duration.nanoseconds(pacer.settings.wait) }
    set { pacer.settings.wait = Nanoseconds(wait: newValue) }
  }

  /// The ends of a window that are delivered; a change applies to values sent afterwards.
  public var edges: Edges {
    get { pacer.settings.edges }
    set { pacer.settings.edges = newValue }
  }
}
