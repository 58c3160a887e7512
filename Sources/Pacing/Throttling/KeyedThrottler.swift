/// Throttles values of many keys: delivers at most one value of a key in each window of time.
///
/// Use it where many things report at the same time, and each is to be heard now and then: progress
/// of transfers, positions of vehicles, errors by their kind. It takes one timer for all keys, and
/// memory for those in use.
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
/// As for every ``KeyedPacingTool``; from there come `flush()`, `cancel()`, `finish(_:)`, `ticks()`
/// and the other verbs.
public final class KeyedThrottler<Key: Hashable & Sendable, Value: Sendable>: KeyedPacingTool {
  private let pacing: KeyedPacing<ThrottleState>

  init(
    _ timing: ThrottleState, keeping keep: Keep<Value>,
    varying wait: (@Sendable (Key, Value) -> Duration?)?, limit: KeyLimit, tolerance: Duration,
    clock: any PacingClock, handler: Handler<AnyKeyedValue>?
  ) {
    pacing = KeyedPacing(
      timing, rules: KeyedRules(wait: wait, keep: keep), limit: limit, tolerance: tolerance,
      clock: clock, handler: handler)
  }

  /// What the tool stands on; there is nothing to do with it.
  public var _core: _KeyedPacingCore<Key, Value> { _KeyedPacingCore(pacer: pacing) }

  /// Takes a value for a key; after `finish(_:)`, while the throttler is not enabled, or where the
  /// limit has no room for one more key, it is dropped.
  ///
  /// - Complexity: O(log n) in the number of keys in use.
  public func send(_ value: Value, key: Key) { pacing.send(AnyValue(value), key: AnyKey(key)) }

  /// Takes a value whose delivery opens a window of its own length.
  public func send(_ value: Value, key: Key, every interval: Duration) {
    pacing.send(AnyValue(value), key: AnyKey(key), waiting: Nanoseconds(wait: interval))
  }

  /// Withdraws every value of a key whose handler has not begun, and closes the key's window.
  ///
  /// - Returns: The newest value withdrawn, nil where there was none. It will not be delivered.
  @discardableResult
  public func reset(_ key: Key) -> Value? { pacing.withdraw(AnyKey(key)) { $0.reset() }?.get() }

  /// Withdraws every value whose handler has not begun, and closes the windows, of all keys.
  ///
  /// - Returns: The newest value withdrawn of each key that had one. They will not be delivered.
  @discardableResult
  public func reset() -> [Key: Value] { core.values(of: pacing.withdrawAll { $0.reset() }) }

  /// How long a window is; a new one counts for the values that are sent from then on.
  public var interval: Duration {
    get { pacing.pacer.wait }
    set { pacing.pacer.wait = newValue }
  }

  /// Which end of a window is delivered; new ones count for the values that are sent from then on.
  public var edges: Edges {
    get { pacing.pacer.edges }
    set { pacing.pacer.edges = newValue }
  }
}
