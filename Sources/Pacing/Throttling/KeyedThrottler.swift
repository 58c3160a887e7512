/// Throttles values per key: delivers at most one value of a key per window of time.
///
/// Use it for many things that report at the same time and are each heard now and then: progress of
/// transfers, positions of vehicles, errors by kind. One timer serves all keys; memory follows the
/// keys in use.
///
/// ```swift
/// let alerts = KeyedThrottler<String, Alert>(every: .seconds(60)) { kind, alert in
///   page(kind, alert)
/// }
/// alerts.send(alert, key: alert.kind)
/// ```
///
/// A window of four steps; the letter is the key, and `A` is a newer value of `a`:
///
///     sent       abA-----aA----
///     throttled  ab--A---a---A-
///
/// ## Timing
/// As for a ``Throttler``, for each key.
///
/// ## Concurrency
/// As for every ``KeyedPacingTool``, which also declares `flush()`, `cancel()`, `finish(_:)`,
/// `ticks()` and the other verbs.
public final class KeyedThrottler<Key: Hashable & Sendable, Value: Sendable>: KeyedPacingTool {
  private let pacing: KeyedPacing<ThrottleState>

  init(
    _ timing: ThrottleState, keeping keep: Keep<Value>,
    varying wait: (@Sendable (Key, Value) -> Duration?)?, keyLimit: KeyLimit, tolerance: Duration,
    clock: any PacingClock, handler: Handler<AnyKeyedValue>?
  ) {
    pacing = KeyedPacing(
      timing, rules: KeyedRules(wait: wait, keep: keep), keyLimit: keyLimit, tolerance: tolerance,
      clock: clock, handler: handler)
  }

  /// The tool's implementation, for the library only.
  public var _core: _KeyedPacingCore<Key, Value> { _KeyedPacingCore(pacer: pacing) }

  /// Takes a value for a key; drops it after `finish(_:)`, while the throttler is disabled, or if
  /// the limit has no room for a new key.
  ///
  /// - Complexity: O(log n) in the number of keys in use.
  public func send(_ value: Value, key: Key) {
    var value = AnyValue(value)
    pacing.send(&value, key: AnyKey(key))
  }

  /// Takes a value whose delivery opens a window of `interval`.
  public func send(_ value: Value, key: Key, every interval: Duration) {
    var value = AnyValue(value)
    pacing.send(&value, key: AnyKey(key), waiting: Nanoseconds(wait: interval))
  }

  /// Withdraws every value of a key whose handler has not begun, and closes the key's window.
  ///
  /// - Returns: The newest value withdrawn, which is not delivered; nil if there was none.
  @discardableResult
  public func reset(_ key: Key) -> Value? {
    pacing.withdraw(AnyKey(key)) { $0.reset() }?.get(Value.self)
  }

  /// Withdraws every value whose handler has not begun, and closes the windows of all keys.
  ///
  /// - Returns: The newest value withdrawn of each key that had one. None of them is delivered.
  @discardableResult
  public func reset() -> [Key: Value] { core.values(of: pacing.withdrawAll { $0.reset() }) }

  /// The length of a window; a change applies to values sent afterwards.
  public var interval: Duration {
    get { pacing.pacer.wait }
    set { pacing.pacer.wait = newValue }
  }

  /// The ends of a window that are delivered; a change applies to values sent afterwards.
  public var edges: Edges {
    get { pacing.pacer.edges }
    set { pacing.pacer.edges = newValue }
  }
}
