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
/// As for every ``KeyedPacingTool``.
public final class KeyedDebouncer<Key: Hashable & Sendable, Value: Sendable>: KeyedPacingTool {
  private let pacing: KeyedPacing<DebounceState>

  init(
    _ timing: DebounceState, limit: KeyLimit, tolerance: Duration, clock: some PacingClock,
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
