/// Debounces values per key: delivers the last value of each key's burst.
///
/// Use it for many things that are edited, invalidated or reported at the same time, each in
/// bursts: documents to save, cache entries, users.
///
/// ```swift
/// let saves = KeyedDebouncer<DocumentID, Document>(for: .seconds(1)) { id, document in
///   write(document, id)
/// }
/// saves.send(document, for: document.id)
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
/// As for every ``KeyedPacingTool``, which declares the other verbs.
public final class KeyedDebouncer<Key: Hashable & Sendable, Value: Sendable>: KeyedTool {
  let pacer: KeyedPacer

  /// Creates a keyed debouncer; `handle` attaches a handler to it.
  ///
  /// `maximumKeys` is the maximum number of keys in use, nil for no limit; `whenFull` specifies
  /// what happens to a value for one more, see ``KeyedPacingTool``. The rest are those of a
  /// ``Debouncer``, for each key.
  ///
  /// - Precondition: `maximumKeys` is positive.
  public init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil, maximumKeys: Int? = nil,
    whenFull: WhenFull = .refuse, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch
  ) {
    pacer = KeyedPacer(
      .debounce(wait, maximumWait: maximumWait, edges: edges), keeping: keep, varying: rule,
      maximumKeys: maximumKeys, whenFull: whenFull, tolerance: tolerance, service: clock.service)
  }

  /// Creates a keyed debouncer with a handler that runs on the library's threads.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Value> = .latest,
    varying rule: (@Sendable (Key, Value) -> Duration?)? = nil, maximumKeys: Int? = nil,
    whenFull: WhenFull = .refuse, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch, handler: @escaping @Sendable (Key, Value) -> Void
  ) {
    self.init(
      for: wait, edges: edges, maximumWait: maximumWait, keeping: keep, varying: rule,
      maximumKeys: maximumKeys, whenFull: whenFull, tolerance: tolerance, clock: clock)
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

  /// Takes a value with its own quiet period.
  public func send(_ value: Value, for key: Key, waiting wait: Duration) {
    var value = AnyValue(value)
    pacer.send(&value, for: AnyKey(key), waiting: Nanoseconds(wait: wait))
  }

  /// The quiet period of a key; a change applies to values sent afterwards.
  public var wait: Duration {
    get { Duration.nanoseconds(pacer.settings.wait) }
    set { pacer.settings.wait = Nanoseconds(wait: newValue) }
  }

  /// The longest a value waits, as in a ``Debouncer``.
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
