/// A token bucket for each key, whatever keeps the buckets: a service takes `any KeyedLimitingTool`
/// and works with a limiter of one process or of several.
///
/// A `KeyedRateLimiter` answers at once, so its methods are synchronous; a limiter that asks a
/// store suspends. Called on a `KeyedRateLimiter` itself, the methods need no `await`.
///
/// ## Concurrency
/// All methods are thread-safe.
public protocol KeyedLimitingTool<Key>: AnyObject, Sendable {
  /// What has a bucket of its own: a user, an address, a tenant.
  associatedtype Key: Hashable & Sendable

  /// Spends a cost if the key's bucket holds it, and reports what the caller can be told.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to charge.
  /// - Returns: Whether the cost was spent, what remains, and how long to wait if it was not.
  /// - Precondition: `cost` is not negative.
  func request(_ cost: Int, for key: Key) async -> Decision

  /// Spends a cost of each of several keys if all of their buckets hold it, otherwise of none.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - keys: The keys to charge; one that is named twice is charged once.
  /// - Returns: Whether the cost was spent, and the key that refused if it was not.
  /// - Precondition: `cost` is not negative, and there is a key.
  func request(_ cost: Int, for keys: [Key]) async -> KeyedDecision<Key>

  /// The answer of `request(_:for:)`; nothing is spent.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to ask about.
  /// - Returns: The decision, with `remaining` and `resetAfter` as they would be after it.
  /// - Precondition: `cost` is not negative.
  func peek(_ cost: Int, for key: Key) async -> Decision

  /// Spends as many tokens as the key's bucket holds, up to a number.
  ///
  /// - Parameters:
  ///   - count: The most to spend.
  ///   - key: The key to charge.
  /// - Returns: The number of tokens spent.
  /// - Precondition: `count` is not negative.
  func take(upTo count: Int, for key: Key) async -> Int

  /// Spends a cost of a key's, waiting for it in turn.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to charge.
  ///   - timeout: The longest wait, nil for no bound.
  /// - Throws: `AcquireError` if the cost cannot be had, or not in time; `CancellationError` if the
  ///   task is cancelled before it is granted.
  /// - Precondition: `cost` is not negative.
  func acquire(_ cost: Int, for key: Key, within timeout: Duration?) async throws
}

extension KeyedRateLimiter: KeyedLimitingTool {}
