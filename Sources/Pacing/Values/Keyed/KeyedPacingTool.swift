/// What `KeyedDebouncer` and `KeyedThrottler` have in common: the verbs for values with keys.
///
/// Each key is a tool of its own: for the order of its values, for one handler at a time, for its
/// windows. Handlers of different keys may run at the same time.
///
/// ## Concurrency
/// All methods may be called from any thread, and from inside the handler. All keys share one lock
/// and one timer. A key takes memory while it has a pending value, an open window or a delivery on
/// its way, and none before or after. Keys are hashed, compared and let go of under the lock, as a
/// dictionary's are inside of it: what a key does then must not call the tool. Dropping the last
/// reference drops what is pending, lets what was decided run, and ends the streams.
public protocol KeyedPacingTool<Key, Value>: AnyObject, Sendable {
  /// What tells the values' owners apart.
  associatedtype Key: Hashable & Sendable

  /// What the tool takes and delivers.
  associatedtype Value: Sendable

  /// The implementation; a tool made of another returns that tool's.
  var _core: _KeyedPacingCore<Key, Value> { get }

  /// Takes a value for a key; after `finish(_:)`, while the tool is not enabled, or where the limit
  /// has no room for one more key, it is dropped.
  ///
  /// - Complexity: O(log n) in the number of keys in use.
  func send(_ value: Value, key: Key)
}

extension KeyedPacingTool {
  var core: _KeyedPacingCore<Key, Value> { _core }

  /// Decides the pending value of a key now.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func flush(_ key: Key) -> Bool { core.pacer.flush(AnyKey(key)) }

  /// Decides the pending values of all keys now.
  ///
  /// - Returns: Whether there were any.
  /// - Complexity: O(n log n) in the number of keys in use; other calls come between.
  @discardableResult
  public func flush() -> Bool { core.pacer.flush() }

  /// Withdraws every value of a key whose handler has not begun.
  ///
  /// - Returns: The newest value withdrawn, nil where there was none. It will not be delivered.
  @discardableResult
  public func cancel(_ key: Key) -> Value? { core.pacer.cancel(AnyKey(key))?.get() }

  /// Withdraws every value whose handler has not begun, of all keys.
  ///
  /// - Returns: The newest value withdrawn of each key that had one. They will not be delivered.
  @discardableResult
  public func cancel() -> [Key: Value] { core.values(of: core.pacer.cancel()) }

  /// Takes no more values, and ends the streams when the pending ones have been delivered or
  /// dropped.
  ///
  /// - Parameter finish: What happens to the pending values.
  public func finish(_ finish: Finish = .deliver) { core.pacer.finish(finish) }

  /// Suspends the deliveries of all keys: values are taken and merged, and none is decided until
  /// `resume()`.
  ///
  /// Quiet periods, windows and maximum waits go on counting. `flush()` and `finish(_:)` deliver as
  /// usual. Suspending a suspended tool is a no-op.
  public func suspend() { core.pacer.isSuspended = true }

  /// Resumes deliveries, and decides what is overdue, once.
  public func resume() { core.pacer.isSuspended = false }

  /// Whether deliveries are suspended.
  public var isSuspended: Bool { core.pacer.isSuspended }

  /// Whether a value of any key will still be delivered.
  public var isPending: Bool { core.pacer.isPending }

  /// The newest value of a key that will still be delivered, nil where there is none.
  public func pending(_ key: Key) -> Value? { core.pacer.pending(AnyKey(key))?.get() }

  /// How long until the pending value of a key is due: zero where it is overdue, nil where nothing
  /// is pending or the value is decided already.
  public func timeRemaining(_ key: Key) -> Duration? { core.pacer.timeRemaining(AnyKey(key)) }

  /// How many keys are in use: with a pending value, an open window or a delivery on its way.
  public var keyCount: Int { core.pacer.keyCount }

  /// Whether values are taken.
  ///
  /// Setting it to false drops the pending values of all keys, with the reason `.disabled`. Values
  /// sent while it is false are dropped too.
  public var isEnabled: Bool {
    get { core.pacer.isEnabled }
    set { core.pacer.isEnabled = newValue }
  }

  /// What has become of all the values that were sent, of all keys.
  public var statistics: DeliveryStatistics { core.pacer.statistics }

  /// Has a closure told of each value that is dropped, and why; also of those that `cancel`
  /// returns.
  ///
  /// - Parameter observer: Called on the library's own threads, by several of them at a time. It
  ///   takes the place of an earlier one.
  public func onDrop(_ observer: @escaping @Sendable (Key, Value, DropReason) -> Void) {
    core.pacer.observeDrops { observer($0.key.get(), $0.value.get(), $1) }
  }

  /// The values as a stream, from now on: each call is a subscription of its own.
  ///
  /// A consumer that is slow finds the newest value of each key. The stream ends after
  /// `finish(_:)`, and when the tool is dropped, which the stream does not prevent. Cancelling the
  /// task or letting go of the stream ends the subscription at once; leaving the loop does where
  /// nothing else holds the stream.
  public func ticks() -> AsyncStream<KeyedValue<Key, Value>> {
    core.pacer.ticks { KeyedValue(key: $0.key.get(), value: $0.value.get()) }
  }

  /// Flushes all keys, and returns when the handlers of everything that was pending, decided or
  /// running have ended, whatever is sent meanwhile.
  ///
  /// - Returns: What `flush()` returns.
  /// - Precondition: It is not called by the tool's own async handler, which it would wait for.
  @discardableResult
  public func flushAndWait() async -> Bool {
    let flushed = flush()
    await core.pacer.waitForHandler()
    return flushed
  }

  /// Cancels all keys, and returns when the handlers that were running have ended.
  ///
  /// - Returns: What `cancel()` returns.
  /// - Precondition: It is not called by the tool's own async handler, which it would wait for.
  @discardableResult
  public func cancelAndWait() async -> [Key: Value] {
    let withdrawn = cancel()
    await core.pacer.waitForHandler()
    return withdrawn
  }
}

/// What a keyed tool stands on: its lock, its timer, and what it holds for each key.
public struct _KeyedPacingCore<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let pacer: any KeyedPacer

  /// Keys and values as what they were put in.
  func values(of withdrawn: [AnyKey: AnyValue]) -> [Key: Value] {
    Dictionary(uniqueKeysWithValues: withdrawn.map { ($0.get(), $1.get()) })
  }
}
