/// The verbs common to ``KeyedDebouncer`` and ``KeyedThrottler``.
///
/// Each key behaves as a separate tool, with its own windows, order of values, and one handler at a
/// time. Handlers of different keys may run concurrently.
///
/// ## Concurrency
/// Thread-safe and re-entrant: any thread may call any method, and so may the handler. All keys
/// share one lock and one timer. A key uses memory only while it is in use; see ``KeyLimit``. Keys
/// are compared and released under the lock: their `==`, `hash(into:)` and deinit must not call the
/// tool. Dropping the last reference drops what is pending, lets what was decided run, and ends the
/// streams.
public protocol KeyedPacingTool<Key, Value>: AnyObject, Sendable {
  /// The type of the keys.
  associatedtype Key: Hashable & Sendable

  /// The type of the values.
  associatedtype Value: Sendable

  /// The implementation; a tool composed of another returns that tool's.
  var _core: _KeyedPacingCore<Key, Value> { get }

  /// Takes a value for a key; it is dropped after `finish(_:)`, while the tool is disabled, or if
  /// the limit has no room for one more key.
  ///
  /// - Complexity: O(log n) in the number of keys in use.
  func send(_ value: Value, key: Key)
}

extension KeyedPacingTool {
  var core: _KeyedPacingCore<Key, Value> { _core }

  /// Decides the pending value of a key now.
  ///
  /// - Returns: Whether a value was pending.
  @discardableResult
  public func flush(_ key: Key) -> Bool { core.pacer.flush(AnyKey(key)) }

  /// Decides the pending values of all keys now.
  ///
  /// - Returns: Whether any value was pending.
  /// - Complexity: O(n log n) in the number of keys in use; other calls may interleave.
  @discardableResult
  public func flush() -> Bool { core.pacer.flush() }

  /// Withdraws every value of a key whose handler has not begun.
  ///
  /// - Returns: The newest value withdrawn, which will not be delivered; nil if there was none.
  @discardableResult
  public func cancel(_ key: Key) -> Value? { core.pacer.cancel(AnyKey(key))?.get(Value.self) }

  /// As `cancel(_:)`, for all keys.
  ///
  /// - Returns: The newest value withdrawn of each key that had one. They will not be delivered.
  @discardableResult
  public func cancel() -> [Key: Value] { core.values(of: core.pacer.cancel()) }

  /// Takes no more values, and ends the streams after the pending ones are delivered or dropped.
  ///
  /// - Parameter finish: What happens to the pending values.
  public func finish(_ finish: Finish = .deliver) { core.pacer.finish(finish) }

  /// Suspends the deliveries of all keys until `resume()`; see `PacingTool.suspend()`.
  public func suspend() { core.pacer.isSuspended = true }

  /// Resumes deliveries, and decides what is overdue, once.
  public func resume() { core.pacer.isSuspended = false }

  /// Whether deliveries are suspended.
  public var isSuspended: Bool { core.pacer.isSuspended }

  /// Whether a value of any key will still be delivered.
  public var isPending: Bool { core.pacer.isPending }

  /// The newest value of a key that will still be delivered; nil if there is none.
  public func pending(_ key: Key) -> Value? { core.pacer.pending(AnyKey(key))?.get(Value.self) }

  /// The time until the pending value of a key is due: zero if it is overdue, nil if none is
  /// pending or it is already decided.
  public func timeRemaining(_ key: Key) -> Duration? { core.pacer.timeRemaining(AnyKey(key)) }

  /// The number of keys in use; see ``KeyLimit``.
  public var keyCount: Int { core.pacer.keyCount }

  /// The number of keys that there is memory for.
  package var keyCapacity: Int { core.pacer.keyCapacity }

  /// Whether values are taken.
  ///
  /// Setting it to false drops the pending values of all keys, with the reason `.disabled`. Values
  /// sent while it is false are dropped too.
  public var isEnabled: Bool {
    get { core.pacer.isEnabled }
    set { core.pacer.isEnabled = newValue }
  }

  /// Counts of what happened to the values sent for all keys.
  public var statistics: DeliveryStatistics { core.pacer.statistics }

  /// Sets a closure that is called with each dropped value and the reason, including values that
  /// `cancel` returns.
  ///
  /// - Parameter observer: The closure, which replaces an earlier one. The library's threads call
  ///   it, several at a time.
  public func onDrop(_ observer: @escaping @Sendable (Key, Value, DropReason) -> Void) {
    core.pacer.observeDrops { observer($0.key.get(), $0.value.get(), $1) }
  }

  /// A stream of the values of all keys from now on; each call is a separate subscription.
  ///
  /// As `PacingTool.ticks()`, but a slow consumer receives the newest value of each key.
  public func ticks() -> AsyncStream<KeyedValue<Key, Value>> {
    core.pacer.ticks { KeyedValue(key: $0.key.get(), value: $0.value.get()) }
  }

  /// Flushes all keys, then waits as `PacingTool.flushAndWait()` does.
  ///
  /// - Returns: What `flush()` returns.
  /// - Precondition: The caller is not the tool's own async handler, which would wait for itself.
  @discardableResult
  public func flushAndWait() async -> Bool {
    let flushed = flush()
    await core.pacer.waitForHandler()
    return flushed
  }

  /// Cancels all keys, then waits until the running handlers have ended.
  ///
  /// - Returns: What `cancel()` returns.
  /// - Precondition: The caller is not the tool's own async handler, which would wait for itself.
  @discardableResult
  public func cancelAndWait() async -> [Key: Value] {
    let withdrawn = cancel()
    await core.pacer.waitForHandler()
    return withdrawn
  }
}

/// The implementation of a keyed tool: its lock, its timer, and what it holds for each key.
public struct _KeyedPacingCore<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let pacer: any KeyedPacer

  /// Keys and values, cast to their original types.
  func values(of withdrawn: [AnyKey: AnyValue]) -> [Key: Value] {
    Dictionary(uniqueKeysWithValues: withdrawn.map { ($0.get(), $1.get()) })
  }
}
