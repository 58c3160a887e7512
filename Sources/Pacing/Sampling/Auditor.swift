/// Audits values: delivers the newest value a fixed time after the first.
///
/// Use it for something to refresh soon after a change, but not for each change: a badge, a cache,
/// a derived view. Use a ``Throttler`` if the first value must not wait, a ``Debouncer`` to wait
/// for the end of a burst.
///
/// ```swift
/// let badge = Auditor<Int>(for: .milliseconds(200)).handle(on: .main) { count in show(count) }
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
/// delivery. A window of zero or less delivers each value at once. `flush()` and `cancel()` leave
/// the auditor idle; `finish(_:)` delivers the pending value at the window's end.
///
/// ## Concurrency
/// As for every ``PacingTool`` and ``DeliveringTool``, which declare the other verbs.
public final class Auditor<Value: Sendable>: ValueTool {
  let pacer: ValuePacer

  /// Creates an auditor; `handle` attaches a handler to it.
  ///
  /// - Parameters:
  ///   - window: The time from the first value to the delivery of the newest.
  ///   - rule: A closure that returns the length of the window that a given value opens, or nil for
  ///     `window`; called on the sender's thread.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - clock: The auditor's clock.
  public init(
    for window: Duration, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch
  ) {
    pacer = ValuePacer(
      .audit(window), varying: rule, tolerance: tolerance, service: clock.service)
  }

  /// Creates an auditor with a handler that runs on the library's threads.
  @inlinable
  public convenience init(
    for window: Duration, varying rule: (@Sendable (Value) -> Duration?)? = nil,
    tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch,
    handler: @escaping @Sendable (Value) -> Void
  ) {
    self.init(for: window, varying: rule, tolerance: tolerance, clock: clock)
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

  /// Takes a value; if it opens a window, the length of that is `window`.
  public func send(_ value: Value, waiting window: Duration) {
    var value = AnyValue(value)
    pacer.send(&value, waiting: Nanoseconds(wait: window))
  }

  /// The length of a window; a change applies to windows opened afterwards.
  public var window: Duration {
    get { Duration.nanoseconds(pacer.settings.wait) }
    set { pacer.settings.wait = Nanoseconds(wait: newValue) }
  }
}
