/// Debounces values of many keys: delivers the last of each key's burst once that key has been
/// quiet.
///
/// Use it where many things are edited, invalidated or reported at the same time, each with a burst
/// of its own: documents to save, cache entries, users. It takes one timer for all keys, and memory
/// for those in use.
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
/// As for every ``KeyedPacingTool``; from there come `flush()`, `cancel()`, `finish(_:)`, `ticks()`
/// and the other verbs.
public final class KeyedDebouncer<Key: Hashable & Sendable, Value: Sendable>: KeyedPacingTool {
  private let pacing: KeyedPacing<DebounceState>

  init(
    _ timing: DebounceState, keeping keep: Keep<Value>,
    varying wait: (@Sendable (Key, Value) -> Duration?)?, limit: KeyLimit, tolerance: Duration,
    clock: any PacingClock, handler: Handler<AnyKeyedValue>?
  ) {
    pacing = KeyedPacing(
      timing, rules: KeyedRules(wait: wait, keep: keep), limit: limit, tolerance: tolerance,
      clock: clock, handler: handler)
  }

  /// What the tool stands on; there is nothing to do with it.
  public var _core: _KeyedPacingCore<Key, Value> { _KeyedPacingCore(pacer: pacing) }

  /// Takes a value for a key; after `finish(_:)`, while the debouncer is not enabled, or where the
  /// limit has no room for one more key, it is dropped.
  ///
  /// - Complexity: O(log n) in the number of keys in use.
  public func send(_ value: Value, key: Key) { pacing.send(AnyValue(value), key: AnyKey(key)) }

  /// Takes a value after which its key must be quiet for a time of its own.
  public func send(_ value: Value, key: Key, for wait: Duration) {
    pacing.send(AnyValue(value), key: AnyKey(key), waiting: Nanoseconds(wait: wait))
  }

  /// How long a key must be quiet; a new one counts for the values that are sent from then on.
  public var wait: Duration {
    get { pacing.pacer.wait }
    set { pacing.pacer.wait = newValue }
  }

  /// How long a value waits at the most, as in a ``Debouncer``.
  public var maximumWait: Duration? {
    get { pacing.pacer.maximumWait }
    set { pacing.pacer.maximumWait = newValue }
  }

  /// Which end of a burst is delivered; new ones count for the values that are sent from then on.
  public var edges: Edges {
    get { pacing.pacer.edges }
    set { pacing.pacer.edges = newValue }
  }
}
