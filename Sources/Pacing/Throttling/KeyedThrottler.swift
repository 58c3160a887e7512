/// Throttles values per key: delivers at most one value of a key per window of time.
///
/// Use it for many things that report at the same time: progress of transfers, positions of
/// vehicles, errors by kind.
///
/// ```swift
/// let alerts = KeyedThrottler<String, Alert>(every: .seconds(60)) { kind, alert in
///   page(kind, alert)
/// }
/// alerts.send(alert, for: alert.kind)
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
/// As for every ``KeyedPacingTool``, which declares the other verbs.
public final class KeyedThrottler<Key: Hashable & Sendable, Value: Sendable>: KeyedTool {
  let pacer: KeyedPacer

  /// Creates a keyed throttler; `handle` attaches a handler to it.
  ///
  /// `maximumKeys` is the maximum number of keys in use, nil for no limit; `whenFull` specifies
  /// what happens to a value for one more, see ``KeyedPacingTool``. The rest are those of a
  /// ``Throttler``, for each key.
  ///
  /// - Precondition: `maximumKeys` is positive.
  public init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil, maximumKeys: Int? = nil,
    whenFull: WhenFull = .refuse, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch
  ) {
    pacer = KeyedPacer(
      .throttle(interval, edges: edges), keeping: keep, varying: rule, maximumKeys: maximumKeys,
      whenFull: whenFull, tolerance: tolerance, service: clock.service)
  }

  /// Creates a keyed throttler with a handler that runs on the library's threads.
  public convenience init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil, maximumKeys: Int? = nil,
    whenFull: WhenFull = .refuse, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch, handler: @escaping @Sendable (Key, Value) -> Void
  ) {
    self.init(
      every: interval, edges: edges, keeping: keep, varying: rule, maximumKeys: maximumKeys,
      whenFull: whenFull, tolerance: tolerance, clock: clock)
    handle { handler($0.key, $0.value) }
  }

  deinit { pacer.abandon() }

  /// Takes a value for a key; drops it after `finish(_:)`, or if there is no room for the key.
  ///
  /// - Complexity: O(log n) in the number of keys in use.
  public func send(_ value: Value, for key: Key) {
    var value = AnyValue(value)
    pacer.send(&value, for: AnyKey(key))
  }

  /// Takes a value whose delivery opens a window of `interval`.
  public func send(_ value: Value, for key: Key, every interval: Duration) {
    var value = AnyValue(value)
    pacer.send(&value, for: AnyKey(key), waiting: Nanoseconds(wait: interval))
  }

  /// Withdraws every value of a key whose handler has not begun, closes the key's window, and
  /// returns the newest value withdrawn; nil if there was none.
  @discardableResult
  public func reset(for key: Key) -> Value? {
    pacer.withdraw(AnyKey(key)) { timing, _ in timing.reset() }?.get(Value.self)
  }

  /// As `reset(for:)`, for all keys; returns the newest value withdrawn of each.
  @discardableResult
  public func reset() -> [Key: Value] {
    values(of: pacer.withdrawAll { timing, _ in timing.reset() })
  }

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
