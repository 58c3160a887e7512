/// A tool that takes values for keys: ``KeyedDebouncer`` and ``KeyedThrottler``.
///
/// Each key behaves as a separate tool, with its own windows, order of values, and one handler at a
/// time. Handlers of different keys may run concurrently, whatever the overlap. A slow stream
/// receives the newest value of each key.
///
/// ## Concurrency
/// As for every ``PacingTool``. All keys share one lock and one timer. Keys are compared and
/// released under the lock: their `==`, `hash(into:)` and deinit must not call the tool.
///
/// ## Memory
/// A key uses memory only while it is in use: while it has a pending value, an open window, or a
/// delivery that is decided or running. At `maximumKeys`, ``WhenFull/makeRoom`` flushes the pending
/// value that is due next. Its key stays in use until that delivery has ended, and leaves no
/// window. If an open window without a value ends first, its key is removed instead. When as many
/// keys as the maximum wait and as many are decided or running, a value for one more is dropped,
/// with the reason `.full`.
public protocol KeyedPacingTool<Key, Value>: PacingTool, DeliveringTool
where Withdrawn == [Key: Value], Delivered == (key: Key, value: Value) {
  /// The type of the keys.
  associatedtype Key: Hashable & Sendable

  /// The type of the values.
  associatedtype Value: Sendable

  /// Takes a value for a key; drops it after `finish(_:)`, or if there is no room for the key.
  ///
  /// - Complexity: O(log n) in the number of keys in use.
  func send(_ value: Value, for key: Key)

  /// Decides the pending value of a key now; false if there is none.
  @discardableResult
  func flush(for key: Key) -> Bool

  /// Withdraws the values of a key whose handler has not begun; returns the newest, or nil.
  @discardableResult
  func cancel(for key: Key) -> Value?

  /// The newest value of a key that will still be delivered; nil if there is none.
  func pending(for key: Key) -> Value?

  /// As `timeRemaining`, for a key.
  func timeRemaining(for key: Key) -> Duration?

  /// The number of keys in use.
  var keyCount: Int { get }
}

/// A keyed tool made of a pacer.
protocol KeyedTool: KeyedPacingTool, PacedTool where Core == KeyedPacer {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension KeyedTool {
  public func flush(for key: Key) -> Bool { pacer.flush(AnyKey(key)) }
  public func cancel(for key: Key) -> Value? {
    pacer.withdraw(AnyKey(key)) { $0.cancel($1) }?.get(Value.self)
  }
  public func cancel() -> [Key: Value] { values(of: pacer.withdrawAll { $0.cancel($1) }) }
  public var pending: [Key: Value] { values(of: pacer.pending) }
  public func pending(for key: Key) -> Value? { pacer.pending(AnyKey(key))?.get(Value.self) }
  public func timeRemaining(for key: Key) -> Duration? { pacer.timeRemaining(AnyKey(key)) }
  public var keyCount: Int { pacer.read { $0.state.keyCount } }

  func values(of outputs: [KeyedOutput]) -> [Key: Value] {
    Dictionary(outputs.map { $0.get() }) { $1 }
  }

  public func attach(_ handler: Handler<Delivered>) { pacer.attach(handler.of { $0.get() }) }
  public func ticks() -> AsyncStream<Delivered> { pacer.consumer().ticks { $0.get() } }
  public func onDrop(_ observer: @escaping @Sendable (Delivered, DropReason) -> Void) {
    pacer.observeDrops { observer($0.get(), $1) }
  }
}
