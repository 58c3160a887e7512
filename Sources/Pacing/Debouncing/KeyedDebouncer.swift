/// Debounces values per key: delivers the last value of each key's burst.
///
/// Use it for many things that are edited, invalidated or reported at the same time, each in
/// bursts: documents to save, cache entries, users. One timer serves all keys; memory follows the
/// keys in use.
///
/// ```swift
/// let saves = KeyedDebouncer<DocumentID, Document>(for: .seconds(1)) { id, document in
///   write(document, id)
/// }
/// saves.send(document, key: document.id)
/// ```
///
/// A quiet period of three steps; the letter is the key, and `A` is a newer value of `a`:
///
///     sent       abA-----------
///     debounced  ----bA--------
///
/// ## Timing
/// As for a ``Debouncer``, for each key.
///
/// ## Concurrency
/// As for every ``KeyedPacingTool``, which also declares `flush()`, `cancel()`, `finish(_:)`,
/// `ticks()` and the other verbs.
public final class KeyedDebouncer<Key: Hashable & Sendable, Value: Sendable>: KeyedPacingTool {
  private let pacing: KeyedPacing<DebounceState>

  init(
    _ timing: DebounceState, keeping keep: Keep<Value>,
    varying wait: (@Sendable (Key, Value) -> Duration?)?, keyLimit: KeyLimit, tolerance: Duration,
    clock: any PacingClock, handler: Handler<AnyKeyedValue>?
  ) {
    pacing = KeyedPacing(
      timing, rules: KeyedRules(wait: wait, keep: keep), keyLimit: keyLimit, tolerance: tolerance,
      clock: clock, handler: handler)
  }

  /// The tool's implementation, for the library only.
  public var _core: _KeyedPacingCore<Key, Value> { _KeyedPacingCore(pacer: pacing) }

  /// Takes a value for a key; drops it after `finish(_:)`, while the debouncer is disabled, or if
  /// the limit has no room for a new key.
  ///
  /// - Complexity: O(log n) in the number of keys in use.
  public func send(_ value: Value, key: Key) {
    var value = AnyValue(value)
    pacing.send(&value, key: AnyKey(key))
  }

  /// Takes a value with its own quiet period.
  public func send(_ value: Value, key: Key, for wait: Duration) {
    var value = AnyValue(value)
    pacing.send(&value, key: AnyKey(key), waiting: Nanoseconds(wait: wait))
  }

  /// The quiet period of a key; a change applies to values sent afterwards.
  public var wait: Duration {
    get { pacing.pacer.wait }
    set { pacing.pacer.wait = newValue }
  }

  /// The longest a value waits, as in a ``Debouncer``.
  public var maximumWait: Duration? {
    get { pacing.pacer.maximumWait }
    set { pacing.pacer.maximumWait = newValue }
  }

  /// The ends of a burst that are delivered; a change applies to values sent afterwards.
  public var edges: Edges {
    get { pacing.pacer.edges }
    set { pacing.pacer.edges = newValue }
  }
}
