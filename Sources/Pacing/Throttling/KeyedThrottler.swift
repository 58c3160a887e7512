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
/// As for every ``KeyedPacingTool``.
public final class KeyedThrottler<Key: Hashable & Sendable, Value: Sendable>: KeyedPacingTool {
  private let pacing: KeyedPacing<ThrottleState>

  init(
    _ timing: ThrottleState, limit: KeyLimit, tolerance: Duration, clock: some PacingClock,
    handler: Handler<AnyKeyedValue>?
  ) {
    pacing = KeyedPacing(
      timing, limit: limit, tolerance: tolerance, clock: clock, handler: handler)
  }

  /// What the tool stands on; there is nothing to do with it.
  public var core: KeyedPacingCore<Key, Value> { KeyedPacingCore(pacer: pacing) }

  /// Takes a value for a key; after `finish(_:)` it is dropped.
  ///
  /// - Complexity: O(log n) in the number of keys in use.
  public func send(_ value: Value, key: Key) { pacing.send(AnyValue(value), key: AnyKey(key)) }
}
